import { changeSettings, getSettings } from "@parley/contract/routes/account";
import { createApiKey, listApiKeys, listAudit, revokeApiKey } from "@parley/contract/routes/members";
import { OWNER_SCOPES, SCOPES } from "@parley/contract/scopes";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type AccountScene, openAccountScene, type SignedInPerson } from "../testing/account-scene.ts";
import { looksLikeApiKey } from "./key-format.ts";

let scene: AccountScene;
let ada: SignedInPerson;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
  ada = await scene.signUp();
});
afterAll(() => scene.close());

const call: AccountScene["call"] = (route, options) => scene.call(route, options);

test("a new key is shown once, has every scope and names its creator", async () => {
  const reply = await call(createApiKey, { as: ada.token, body: { name: " Till 4 ", mode: "test" } });
  expect(looksLikeApiKey(reply.data.key)).toBe(true);
  expect(reply.data).toMatchObject({
    name: "Till 4",
    mode: "test",
    prefix: reply.data.key.slice(0, 13),
    lastFour: reply.data.key.slice(-4),
    scopes: SCOPES,
    expiresAt: null,
    allowedIps: [],
    dailySpendCap: null,
    createdBy: ada.email,
    lastUsedAt: null,
    revokedAt: null,
  });
  const list = await call(listApiKeys, { as: ada.token });
  expect(list.items.map((key) => key.id)).toContain(reply.data.id);
  expect(list.text).not.toContain(reply.data.key);
  expect(JSON.stringify((await call(listAudit, { as: ada.token })).items)).not.toContain(reply.data.key);
});

test("a member who is not an owner cannot grant a key more scopes than the member has", async () => {
  const { token } = await scene.join(ada.token);
  const make = (body: object) => call(createApiKey, { as: token, body: { name: "k", mode: "test", ...body } });
  expect((await make({})).data.scopes).toEqual(SCOPES.filter((scope) => !OWNER_SCOPES.includes(scope)));
  for (const scope of OWNER_SCOPES)
    expect(await make({ scopes: ["calls:read", scope] })).toMatchObject({ status: 403, code: "not_allowed" });
});

test("settings and the audit log are read and changed by a key with their scopes, and the log names the key", async () => {
  const { data } = await call(createApiKey, {
    as: ada.token,
    body: { name: "code", mode: "test", scopes: ["settings:read", "settings:write", "audit:read"] },
  });
  const by = { key: data.key, origin: null };
  const changed = await call(changeSettings, { ...by, body: { disclosure: "A machine speaks." } });
  expect(changed.data.disclosure).toBe("A machine speaks.");
  expect((await call(getSettings, by)).data).toEqual(changed.data);
  expect((await call(listAudit, { ...by, query: { action: "settings.changed" } })).items[0]).toMatchObject({
    actor: data.id,
  });
  const other = await call(createApiKey, { as: ada.token, body: { name: "c", mode: "test", scopes: ["calls:read"] } });
  expect(await call(getSettings, { key: other.data.key, origin: null })).toMatchObject({
    status: 403,
    code: "insufficient_scope",
  });
});

test("a key keeps the scopes, expiry, addresses and cap it was created with", async () => {
  const reply = await call(createApiKey, {
    as: ada.token,
    body: {
      name: "narrow",
      mode: "live",
      scopes: ["calls:read", "calls:write", "calls:read"],
      expiresAt: "2190-01-31T09:30:00+01:00",
      allowedIps: ["192.0.2.0/24", "2001:db8::1", "192.0.2.0/24"],
      dailySpendCap: "0",
    },
  });
  expect(reply.data).toMatchObject({
    scopes: ["calls:write", "calls:read"],
    expiresAt: "2190-01-31T08:30:00.000Z",
    allowedIps: ["192.0.2.0/24", "2001:db8::1"],
    dailySpendCap: "0.00",
  });
  const known = await scene.lookup.findKey(reply.data.key);
  expect([...(known?.actor.scopes ?? [])]).toEqual(["calls:write", "calls:read"]);
  expect(known?.actor.dailySpendCapMicros).toBe(0n);
  expect(known?.allowedIps).toEqual(["192.0.2.0/24", "2001:db8::1"]);
});

test.each([
  ["scopes[0]", { scopes: ["calls:delete"] }],
  ["scopes", { scopes: [] }],
  ["expiresAt", { expiresAt: "2020-01-01T00:00:00Z" }],
  ["allowedIps[0]", { allowedIps: ["not an address"] }],
  ["allowedIps[1]", { allowedIps: ["192.0.2.1", "::ffff:10.0.0.0/104"] }],
  ["dailySpendCap", { dailySpendCap: "-1" }],
  ["mode", { mode: "production" }],
  ["name", { name: "  " }],
  ["scope", { scope: ["calls:read"] }],
])("an input with a wrong %s is rejected and creates no key", async (param, wrong) => {
  const before = (await call(listApiKeys, { as: ada.token, query: { limit: "100" } })).items.length;
  const reply = await call(createApiKey, { as: ada.token, body: { name: "x", mode: "test", ...wrong } });
  expect([reply.status, reply.code, reply.error.param]).toEqual([422, "validation_failed", param]);
  expect((await call(listApiKeys, { as: ada.token, query: { limit: "100" } })).items).toHaveLength(before);
});

test("an account has at most 50 keys, even with concurrent requests; revoking makes room", async () => {
  const eve = await scene.signUp();
  const make = () => call(createApiKey, { as: eve.token, body: { name: "k", mode: "test" } });
  const replies = await Promise.all(Array.from({ length: 55 }, make));
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(50);
  expect(new Set(replies.filter((reply) => reply.status !== 200).map((reply) => reply.code))).toEqual(
    new Set(["invalid_state"]),
  );
  const [first] = (await call(listApiKeys, { as: eve.token })).items;
  await call(revokeApiKey, { as: eve.token, params: { id: first?.id ?? "" } });
  expect((await make()).status).toBe(200);
});

test("a list continues where the previous page ended, newest first, and shows every key once", async () => {
  const bob = await scene.signUp();
  for (let i = 0; i < 5; i += 1) await call(createApiKey, { as: bob.token, body: { name: `k${i}`, mode: "test" } });
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof call<typeof listApiKeys>>> = await call(listApiKeys, {
      as: bob.token,
      query: { limit: "2", ...(cursor ? { cursor } : {}) },
    });
    names.push(...page.items.map((key) => key.name));
    cursor = page.nextCursor;
  } while (cursor);
  expect(names).toEqual(["k4", "k3", "k2", "k1", "k0"]);
});

test("another account's cursor is refused", async () => {
  const bob = await scene.signUp();
  for (const name of ["a", "b"]) await call(createApiKey, { as: bob.token, body: { name, mode: "test" } });
  const { nextCursor } = await call(listApiKeys, { as: bob.token, query: { limit: "1" } });
  const reply = await call(listApiKeys, { as: ada.token, query: { cursor: nextCursor ?? "" } });
  expect([reply.status, reply.error.param]).toEqual([422, "cursor"]);
});

test("revoking is permanent, can be repeated, and is audited once", async () => {
  const { data } = await call(createApiKey, { as: ada.token, body: { name: "old", mode: "live" } });
  expect((await scene.lookup.findKey(data.key))?.actor.keyId).toBe(data.id);
  const first = await call(revokeApiKey, { as: ada.token, params: { id: data.id } });
  const second = await call(revokeApiKey, { as: ada.token, params: { id: data.id } });
  expect(first.data.revokedAt).not.toBeNull();
  expect(second.data).toEqual(first.data);
  const audit = (await call(listAudit, { as: ada.token, query: { limit: "100" } })).items;
  const about = audit.filter((entry) => entry.target === data.id).map((entry) => entry.action);
  expect(about).toEqual(["api_key.revoked", "api_key.created"]);
});

test("another account's key cannot be revoked and is exactly as unknown as none", async () => {
  const bob = await scene.signUp();
  const { data } = await call(createApiKey, { as: bob.token, body: { name: "bob's", mode: "live" } });
  const theirs = await call(revokeApiKey, { as: ada.token, params: { id: data.id } });
  const nobodys = await call(revokeApiKey, { as: ada.token, params: { id: "key_0" } });
  expect([theirs.status, theirs.error.code, theirs.error.message]).toEqual([
    nobodys.status,
    nobodys.error.code,
    nobodys.error.message,
  ]);
  expect(theirs.status).toBe(404);
  expect((await scene.lookup.findKey(data.key))?.actor.keyId).toBe(data.id);
});

test("a key can neither make, list nor revoke keys", async () => {
  const { data } = await call(createApiKey, { as: ada.token, body: { name: "all", mode: "live" } });
  for (const reply of [
    await call(createApiKey, { key: data.key, origin: null, body: { name: "x", mode: "test" } }),
    await call(listApiKeys, { key: data.key, origin: null }),
    await call(revokeApiKey, { key: data.key, origin: null, params: { id: data.id } }),
  ]) {
    expect([reply.status, reply.code]).toEqual([403, "not_allowed"]);
  }
});

test("another site cannot make a key in a member's name", async () => {
  const body = { name: "x", mode: "test" };
  for (const options of [{ origin: "https://evil.example" }, { origin: null }, { fetchSite: "cross-site" }]) {
    const reply = await call(createApiKey, { as: ada.token, body, ...options });
    expect([reply.status, reply.code]).toEqual([403, "cross_site"]);
  }
});
