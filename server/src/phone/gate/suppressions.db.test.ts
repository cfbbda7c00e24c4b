import { ImportedSuppressions, Suppression } from "@parley/contract/suppressions";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi, type TestClient, walkPages } from "../../platform/http/testing/open-test-api.ts";
import { suppressionRoutes } from "./routes.ts";
import { readListAndCredit } from "./suppression-store.ts";

let database: TestDatabase;
let api: TestApi;
let ours: TestClient;
let theirs: TestClient;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(database.db, (cursors) => suppressionRoutes({ db: database.db, cursors }));
  ours = await api.addAccount("Ours");
  theirs = await api.addAccount("Theirs");
});
afterAll(async () => {
  await api.close();
  await database.close();
});

const add = (client: TestClient, phoneNumber: string, reason?: string) =>
  client.send("POST", "/suppressions", { body: { phoneNumber, ...(reason === undefined ? {} : { reason }) } });
const remove = (client: TestClient, phoneNumber: string) =>
  client.send("DELETE", `/suppressions?phoneNumber=${encodeURIComponent(phoneNumber)}`);

describe("the suppression list", () => {
  it("keeps a number, for this account alone, until it is removed", async () => {
    const reply = await add(ours, "+15550100001", "asked not to be called 🙏 \u202eمرحبا");
    expect(reply.status).toBe(200);
    expect(reply.read(Suppression)).toMatchObject({ reason: "asked not to be called 🙏 \u202eمرحبا" });
    expect((await readListAndCredit(database.db, ours.accountId, "+15550100001")).isSuppressed).toBe(true);
    expect((await readListAndCredit(database.db, theirs.accountId, "+15550100001")).isSuppressed).toBe(false);

    const removed = await remove(ours, "+15550100001");
    expect(removed).toMatchObject({ status: 200, body: { success: true, data: {} } });
    expect((await readListAndCredit(database.db, ours.accountId, "+15550100001")).isSuppressed).toBe(false);
  });

  it("returns the existing entry when a number is added again, even by concurrent requests", async () => {
    const replies = await Promise.all([1, 2, 3, 4].map((n) => add(ours, "+15550100002", `reason ${n}`)));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const again = await add(ours, "+15550100002", "something else");
    expect(again.body).toEqual(replies[0]?.body);
  });

  it("answers not_found to removing a number that is not on this account's list", async () => {
    await add(theirs, "+15550100003");
    const [other, unknown] = await Promise.all([remove(ours, "+15550100003"), remove(ours, "+15550100004")]);
    expect(other).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect(other.body.error?.message).toBe(unknown.body.error?.message);
    expect((await readListAndCredit(database.db, theirs.accountId, "+15550100003")).isSuppressed).toBe(true);
  });

  it("refuses what is not a number", async () => {
    expect(await add(ours, "15550100001")).toMatchObject({ status: 422, body: { error: { param: "phoneNumber" } } });
    expect((await remove(ours, "+0")).status).toBe(422);
    expect((await ours.send("GET", "/suppressions?phoneNumber=x")).status).toBe(422);
  });

  it("replays the first answer under the same Idempotency-Key", async () => {
    const request = { body: { phoneNumber: "+15550100005" }, headers: { "idempotency-key": "one" } };
    const first = await ours.send("POST", "/suppressions", request);
    await remove(ours, "+15550100005");
    const second = await ours.send("POST", "/suppressions", request);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.body).toEqual(first.body);
    expect((await readListAndCredit(database.db, ours.accountId, "+15550100005")).isSuppressed).toBe(false);
  });
});

describe("many numbers in one request", () => {
  const importAll = (client: TestClient, phoneNumbers: readonly string[], reason?: string) =>
    client.send("POST", "/suppressions/import", {
      body: { phoneNumbers, ...(reason === undefined ? {} : { reason }) },
    });

  it("adds new ones to the list, leaves existing ones unchanged, and counts both", async () => {
    const client = await api.addAccount("Importer");
    await add(client, "+15550300001", "by hand");
    const reply = await importAll(client, ["+15550300002", "+15550300001", "+15550300003", "+15550300002"], "moved");
    expect(reply.read(ImportedSuppressions)).toEqual({ addedCount: 2, knownCount: 1 });
    const listed = await walkPages(client, "/suppressions", 50, Suppression);
    expect(Object.fromEntries(listed.map(({ phoneNumber, reason }) => [phoneNumber, reason]))).toEqual({
      "+15550300001": "by hand",
      "+15550300002": "moved",
      "+15550300003": "moved",
    });
  });

  it("accepts all or none: one invalid number rejects the others", async () => {
    const client = await api.addAccount("Refused");
    const reply = await importAll(client, ["+15550300004", "15550300005"]);
    expect(reply).toMatchObject({ status: 422, body: { error: { code: "validation_failed" } } });
    expect((await readListAndCredit(database.db, client.accountId, "+15550300004")).isSuppressed).toBe(false);
  });

  it("accepts the same numbers in concurrent requests, in any order", async () => {
    const client = await api.addAccount("Racing");
    const numbers = Array.from({ length: 500 }, (_, index) => `+1555031${String(index).padStart(4, "0")}`);
    const replies = await Promise.all([
      importAll(client, numbers),
      importAll(client, numbers.toReversed()),
      importAll(client, numbers),
    ]);
    const counts = replies.map((reply) => reply.read(ImportedSuppressions));
    expect(counts.reduce((sum, { addedCount }) => sum + addedCount, 0)).toBe(500);
    expect(counts.every(({ addedCount, knownCount }) => addedCount + knownCount === 500)).toBe(true);
  });
});

describe("listing the suppression list", () => {
  let lister: TestClient;
  const numbers = Array.from({ length: 7 }, (_, index) => `+1555020000${index}`);

  beforeAll(async () => {
    lister = await api.addAccount("Lister");
    // Several share a moment, so that the order among them must come from the number.
    await database.db
      .insertInto("suppressions")
      .values(
        numbers.map((phone_number, index) => ({
          account_id: lister.accountId,
          phone_number,
          reason: "",
          created_at: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 3))),
        })),
      )
      .execute();
  });

  it("walks through all of it, newest first, each number once", async () => {
    const seen = await walkPages(lister, "/suppressions", 2, Suppression);
    expect(seen.map(({ phoneNumber }) => phoneNumber)).toEqual([6, 3, 4, 5, 0, 1, 2].map((index) => numbers[index]));
  });

  it("finds one number", async () => {
    const reply = await lister.send("GET", `/suppressions?phoneNumber=${encodeURIComponent("+15550200004")}`);
    expect(reply.readPage(Suppression).data.map((each) => each.phoneNumber)).toEqual(["+15550200004"]);
  });

  it("finds numbers by what they begin with", async () => {
    await add(lister, "+491700000000");
    const ask = async (startsWith: string) =>
      (await lister.send("GET", `/suppressions?startsWith=${encodeURIComponent(startsWith)}`)).readPage(Suppression)
        .data;
    expect((await ask("+49")).map((each) => each.phoneNumber)).toEqual(["+491700000000"]);
    expect(await ask("+1555020")).toHaveLength(7);
    expect(await ask("+7")).toEqual([]);
    expect((await lister.send("GET", "/suppressions?startsWith=49")).status).toBe(422);
    await remove(lister, "+491700000000");
  });

  it("refuses a cursor that was altered, or that belongs to another list", async () => {
    const { nextCursor } = (await lister.send("GET", "/suppressions?limit=2")).readPage(Suppression);
    const altered = `${nextCursor?.slice(0, -1)}${nextCursor?.endsWith("A") ? "B" : "A"}`;
    const replies = await Promise.all([
      lister.send("GET", `/suppressions?cursor=${altered}`),
      theirs.send("GET", `/suppressions?cursor=${nextCursor}`),
      lister.send("GET", `/suppressions?cursor=${nextCursor}&phoneNumber=${encodeURIComponent("+15550200004")}`),
    ]);
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 422, body: { error: { code: "validation_failed", param: "cursor" } } });
    }
  });
});
