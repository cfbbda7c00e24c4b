import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { findOwnerEmails } from "./members.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => database.close());

test("notices go only to the owners of the account who have joined", async () => {
  const [ours, theirs] = [makeId("account"), makeId("account")];
  for (const id of [ours, theirs]) await database.db.insertInto("accounts").values({ id, name: "Owners" }).execute();
  const member = (account_id: string, email: string | null, role: "owner" | "member", password_hash: string | null) =>
    database.db
      .insertInto("members")
      .values({ id: makeId("member"), account_id, email, role, password_hash })
      .execute();
  await member(ours, "ada@example.com", "owner", "x");
  await member(ours, "bo@example.com", "owner", "x");
  await member(ours, "cy@example.com", "member", "x");
  await member(ours, "invited@example.com", "owner", null);
  await member(theirs, "other@example.com", "owner", "x");
  expect((await findOwnerEmails(database.db, ours)).toSorted()).toEqual(["ada@example.com", "bo@example.com"]);
});
