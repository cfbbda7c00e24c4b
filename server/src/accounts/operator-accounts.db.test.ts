import { makeId } from "@parley/contract/ids";
import { changeAccountCredit, claimAccount, listAudit, listOperatorAccounts } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "../platform/database/database.ts";
import { ensureFirstAccount } from "./create-account.ts";
import { type AccountScene, openAccountScene, PASSWORD, tokenIn } from "./testing/account-scene.ts";

let scene: AccountScene;
let operator: string;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
  const token = tokenIn((await ensureFirstAccount(scene.deps))?.claimUrl ?? "");
  const body = { token, email: "operator@example.com", password: PASSWORD };
  operator = (await scene.call(claimAccount, { body })).token;
});
afterAll(() => scene.close());

const change = (id: string, body: object, as = operator) =>
  scene.call(changeAccountCredit, { as, params: { id }, body });

test("an operator adds credit, and the account's own ledger and audit log record it", async () => {
  const ada = await scene.signUp();
  const { id } = ada.me.account;
  const { data } = await change(id, { change: "add", amount: "2.5", note: "Invoice 17" });
  expect(data).toMatchObject({ id, balance: "12.50" });
  const rows = await run(
    scene.deps.db,
    "select kind, note from ledger_transfers where account_id = $1 order by id desc",
    [id],
  );
  expect(rows[0]).toEqual({ kind: "credit_added", note: "Invoice 17" });
  const { items } = await scene.call(listAudit, { as: ada.token });
  expect(items).toMatchObject(expect.arrayContaining([expect.objectContaining({ action: "credit.added" })]));
});

test("no amount and no sum exceeds what the ledger can store", async () => {
  const { id } = (await scene.signUp()).me.account;
  expect(await change(id, { change: "add", amount: "999999999999" })).toMatchObject({
    status: 422,
    code: "validation_failed",
  });
  expect((await change(id, { change: "add", amount: "999999990" })).data.balance).toBe("1000000000.00");
  for (const amount of ["0.000001", "999999999.999999"]) {
    const refused = await change(id, { change: "add", amount });
    expect(refused).toMatchObject({ status: 422, code: "validation_failed" });
    expect(refused.error.message).toContain("1000000000.00 USD");
  }
  expect((await change(id, { change: "remove", amount: "999999999.999999" })).data.balance).toBe("0.000001");
});

test("an operator can remove unspent credit, and no more", async () => {
  const ada = await scene.signUp();
  const { id } = ada.me.account;
  const refused = await change(id, { change: "remove", amount: "10.01" });
  expect(refused).toMatchObject({ status: 402, code: "insufficient_credit" });
  expect(refused.error.message).toContain("10.00 USD to spend");
  expect((await change(id, { change: "remove", amount: "10" })).data.balance).toBe("0.00");
});

test("zero is not a valid amount, an unknown account is not found, and an owner cannot add credit", async () => {
  const ada = await scene.signUp();
  const { id } = ada.me.account;
  expect((await change(id, { change: "add", amount: "0.00" })).status).toBe(422);
  expect((await change(makeId("account"), { change: "add", amount: "1" })).status).toBe(404);
  expect((await change(id, { change: "add", amount: "1" }, ada.token)).status).toBe(403);
  const { items } = await scene.call(listOperatorAccounts, { as: operator });
  expect(items.find((account) => account.id === id)?.balance).toBe("10.00");
});
