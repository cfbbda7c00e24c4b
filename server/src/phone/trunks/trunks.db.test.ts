import type { Route } from "@parley/contract/route";
import * as routes from "@parley/contract/routes/operator";
import { systemClock } from "@parley/time/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import { noteAttempt } from "./attempt-note-store.ts";
import { HealthNotes } from "./health-notes.ts";
import { freeTrunkSlot, takeTrunkSlot } from "./slot-store.ts";
import { openTrunkScene, type TrunkScene } from "./testing/trunk-scene.ts";

const PASSWORD = "hunter2 of the carrier";
let scene: TrunkScene;

beforeAll(async () => {
  scene = await openTrunkScene(inject("postgresUrl"));
});
afterAll(() => scene.close());
beforeEach(async () => {
  await run(scene.database.db, "delete from trunk_routes");
  await run(scene.database.db, "delete from trunks");
});

const ask = <R extends Route>(route: R, params: Record<string, string>, body?: object) =>
  scene.call(route, { as: "operator", params, ...(body === undefined ? {} : { body }) });
const add = (body: object = {}) => ask(routes.createTrunk, {}, { name: "One", host: "sip.example.com", ...body });
const change = (id: string, body: object) => ask(routes.changeTrunk, { id }, body);
const read = (id: string) => ask(routes.getTrunk, { id });
const remove = (id: string) => ask(routes.deleteTrunk, { id });
const addRoute = (body: object) => ask(routes.createTrunkRoute, {}, body);
const audit = () =>
  run<{ action: string; actor: string; target: string; account_id: string; data: Record<string, unknown> }>(
    scene.database.db,
    "select action, actor, target, account_id, data from audit_log order by created_at, id",
  );

describe("a trunk", () => {
  test("needs only a name and a host; everything else has a working default", async () => {
    const { data } = await add();
    expect(data).toMatchObject({
      name: "One",
      host: "sip.example.com",
      isEnabled: true,
      managedBy: "operator",
      port: null,
      transport: "udp",
      codecs: ["PCMU", "PCMA"],
      srtp: "off",
      noResponseMs: 4_000,
      sessionTimerSeconds: 180,
      channelsMax: null,
      hasPassword: false,
      activeCalls: 0,
      answers: { attempts: 0, rang: 0, answered: 0, answerRate: null },
      health: [],
      answersByCallerId: [],
      answersByDay: [],
    });
    expect((await read(data.id)).data).toEqual(data);
  });

  test("keeps every field it was given", async () => {
    const all = {
      name: "All",
      isEnabled: false,
      host: "2001:db8::1",
      port: 5080,
      transport: "tls",
      outboundProxy: "sip:proxy.example.com:5061;transport=tls",
      username: "customer17",
      registersAs: "4930100",
      fromHost: "customer.example.com",
      publicAddress: { host: "voice.example.com", port: 5060 },
      publicMediaHost: "203.0.113.10",
      numberFormat: "digits",
      dialPrefix: "17#",
      callerIds: ["+4930100", "+15550100099"],
      codecs: ["PCMA"],
      srtp: "required",
      channelsMax: 30,
      callsPerSecond: 2.5,
      pingIntervalSeconds: null,
      noResponseMs: 1_500,
      sessionTimerSeconds: 1800,
      offersReliableRinging: false,
      assertsIdentity: true,
      allowsTcpForLarge: true,
      staysOnFirstHop: true,
    };
    const { data } = await add({ ...all, password: PASSWORD });
    expect(data).toMatchObject({ ...all, hasPassword: true });
    // A change of nothing that matters leaves all of it.
    expect((await change(data.id, { isEnabled: false })).data).toMatchObject({ ...all, hasPassword: true });
  });

  test("is changed field by field, and what was not named stays", async () => {
    const { id } = (await add({ username: "u", password: PASSWORD, callerIds: ["+4930100"] })).data;
    const changed = (
      await change(id, { host: "other.example.com", password: PASSWORD, channelsMax: 5, publicMediaHost: null })
    ).data;
    expect(changed).toMatchObject({
      host: "other.example.com",
      channelsMax: 5,
      callerIds: ["+4930100"],
      username: "u",
    });
    expect(changed.hasPassword).toBe(true);
    expect((await read(id)).data).toEqual(changed);
    expect((await audit()).at(-1)).toMatchObject({
      action: "trunk.changed",
      actor: scene.operatorId,
      account_id: scene.accountId,
      target: id,
      data: { name: "One", changes: { host: { from: "sip.example.com", to: "other.example.com" } } },
    });
  });

  test("needs its password again when its host changes", async () => {
    const { id } = (await add({ username: "u", password: PASSWORD })).data;
    for (const elsewhere of [{ host: "evil.example" }, { port: 5099 }, { outboundProxy: "sip:evil.example" }])
      expect(await change(id, elsewhere)).toMatchObject({ status: 422, error: { param: "password" } });
    expect((await change(id, { host: "sip.example.com", channelsMax: 3 })).status).toBe(200);
    expect((await change(id, { host: "two.example.com", password: PASSWORD })).status).toBe(200);
    expect((await change(id, { host: "three.example.com", username: null })).data).toMatchObject({
      hasPassword: false,
    });
  });

  test("loses its password with its username, and keeps it when only the name changes", async () => {
    const { id } = (await add({ username: "u", password: PASSWORD })).data;
    expect((await change(id, { username: "v" })).data).toMatchObject({ username: "v", hasPassword: true });
    expect((await change(id, { username: null })).data).toMatchObject({ username: null, hasPassword: false });
  });

  test("of a name that another has, in any capitals, is refused by the name", async () => {
    await add({ name: "Carrier" });
    const again = await add({ name: "CARRIER" });
    expect(again).toMatchObject({ status: 422, code: "validation_failed", error: { param: "name" } });
    expect(again.error.details).toMatchObject([{ code: "taken" }]);
    const { id } = (await add({ name: "Other" })).data;
    expect((await change(id, { name: "carrier" })).error.param).toBe("name");
    // Its own name in other capitals is no conflict.
    expect((await change(id, { name: "OTHER" })).status).toBe(200);
  });

  test("is listed newest first, page by page", async () => {
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.unshift((await add({ name })).data.id);
    const page = async (cursor?: string) =>
      scene.call(routes.listTrunks, { as: "operator", query: { limit: "2", ...(cursor ? { cursor } : {}) } });
    const first = await page();
    const second = await page(first.nextCursor ?? "");
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
  });

  test("that does not exist is not found, by any method", async () => {
    for (const reply of [await read("trk_x"), await change("trk_x", { port: 1 }), await remove("trk_x")]) {
      expect(reply).toMatchObject({ status: 404, code: "not_found" });
    }
  });
});

describe("the password of a trunk", () => {
  test("is in no reply, no log line, no audit entry and not readable in the database", async () => {
    const made = await add({ username: "u", password: PASSWORD });
    const { id } = made.data;
    const texts = [
      made.text,
      (await read(id)).text,
      (await change(id, { password: `${PASSWORD} again` })).text,
      (await scene.call(routes.listTrunks, { as: "operator" })).text,
      // Refusals must not repeat what was sent either.
      (await add({ username: "u", password: PASSWORD })).text,
      (await add({ name: "Two", password: PASSWORD })).text,
      (await add({ name: "Two", username: "u", password: `${PASSWORD}\n` })).text,
      JSON.stringify(await audit()),
      scene.logged.join("\n"),
    ];
    expect(texts.filter((text) => text.includes("hunter2"))).toEqual([]);
    const [row] = await run<{ sealed: Buffer }>(
      scene.database.db,
      "select password_sealed as sealed from trunks where id = $1",
      [id],
    );
    expect(row?.sealed.includes("hunter2")).toBe(false);
    expect(scene.secrets.open(row?.sealed ?? Buffer.alloc(0), `${id}/password`)).toBe(`${PASSWORD} again`);
    expect((await audit()).at(-1)?.data).toMatchObject({ password: "replaced" });
  });
});

describe("fields that make no sense", () => {
  test.each<[string, object]>([
    ["host", { host: "sip:sip.example.com" }],
    ["host", { host: "sip.example.com:5060" }],
    ["host", { host: "sip..example.com" }],
    ["host", { host: "192.0.2.999" }],
    ["host", { host: "[2001:db8::1]" }],
    ["host", { host: "sip.example.com\r\nX: y" }],
    ["host", { host: "" }],
    ["name", { name: "  " }],
    ["port", { port: 0 }],
    ["port", { port: 65_536 }],
    ["transport", { transport: "ws" }],
    ["outboundProxy", { outboundProxy: "proxy.example.com" }],
    ["outboundProxy", { outboundProxy: "sip:proxy.example.com;transport=sctp" }],
    ["outboundProxy", { outboundProxy: "<sip:proxy.example.com>" }],
    ["outboundProxy", { outboundProxy: "sip:proxy.example.com:99999" }],
    ["outboundProxy", { outboundProxy: "sip:you@proxy.example.com" }],
    ["username", { username: "a\tb", password: "x" }],
    ["password", { username: "u" }],
    ["password", { username: "u", password: "" }],
    ["username", { password: PASSWORD }],
    ["registersAs", { registersAs: "u" }],
    ["fromHost", { fromHost: "a b" }],
    ["publicAddress.port", { publicAddress: { host: "a.example" } }],
    ["publicAddress.host", { publicAddress: { host: "a b", port: 5060 } }],
    ["publicMediaHost", { publicMediaHost: "media.example.com" }],
    ["numberFormat", { numberFormat: "national" }],
    ["dialPrefix", { dialPrefix: "00 49" }],
    ["callerIds[0]", { callerIds: ["030100"] }],
    ["callerIds", { callerIds: ["+4930100", "+4930100"] }],
    ["codecs", { codecs: [] }],
    ["codecs[0]", { codecs: ["G729"] }],
    ["codecs", { codecs: ["PCMA", "PCMA"] }],
    ["srtp", { srtp: "maybe" }],
    ["channelsMax", { channelsMax: 0 }],
    ["channelsMax", { channelsMax: 100_001 }],
    ["callsPerSecond", { callsPerSecond: 0 }],
    ["pingIntervalSeconds", { pingIntervalSeconds: 1 }],
    ["noResponseMs", { noResponseMs: 999 }],
    ["noResponseMs", { noResponseMs: 30_001 }],
    ["sessionTimerSeconds", { sessionTimerSeconds: 89 }],
    ["isEnabled", { isEnabled: "yes" }],
    ["chanels", { chanels: 5 }],
    ["managedBy", { managedBy: "configuration" }],
  ])("%s as in %j is rejected by that name, on creation and on change", async (param, fields) => {
    expect(await add(fields)).toMatchObject({ status: 422, code: "validation_failed", error: { param } });
    const { id } = (await add({ name: "Sound" })).data;
    const changed = await change(id, fields);
    expect(changed).toMatchObject({ status: 422, code: "validation_failed", error: { param } });
    expect((await read(id)).data).toMatchObject({ host: "sip.example.com", hasPassword: false });
  });

  test("are all named together", async () => {
    const { error } = await add({ host: "a b", port: 0, codecs: ["G729"], typo: 1 });
    expect(error.details?.map(({ param }) => param).sort()).toEqual(["codecs[0]", "host", "port", "typo"]);
  });

  test("together are rejected even when each came in a separate change", async () => {
    const { id } = (await add({ username: "u", password: PASSWORD, registersAs: "u" })).data;
    expect((await change(id, { username: null })).error.param).toBe("registersAs");
    expect((await change(id, { password: null })).error.param).toBe("password");
    expect((await change(id, { username: null, registersAs: null })).status).toBe(200);
  });

  test("and a change of nothing are refused", async () => {
    const { id } = (await add()).data;
    expect((await change(id, {})).status).toBe(422);
  });
});

describe("removing a trunk", () => {
  test("is refused while a route uses it, and the error says so", async () => {
    const { id } = (await add()).data;
    const route = (await addRoute({ prefix: "49", trunkId: id })).data;
    const refused = await remove(id);
    expect(refused).toMatchObject({ status: 409, code: "invalid_state" });
    expect(refused.error.message).toBe("A route leads to trunk One. Remove it first.");
    await ask(routes.deleteTrunkRoute, { id: route.id });
    expect((await remove(id)).status).toBe(200);
    expect((await read(id)).status).toBe(404);
    expect((await audit()).at(-1)).toMatchObject({ action: "trunk.removed", target: id, data: { name: "One" } });
  });

  test("is refused while calls are on it, and no call can begin on it once it is gone", async () => {
    const { db } = scene.database;
    const { id } = (await add()).data;
    await inTransaction(db, (tx) => takeTrunkSlot(tx, id));
    expect((await read(id)).data.activeCalls).toBe(1);
    const refused = await remove(id);
    expect(refused).toMatchObject({ status: 409, code: "invalid_state" });
    expect(refused.error.message).toContain("A call is on trunk One.");
    await inTransaction(db, (tx) => freeTrunkSlot(tx, id));
    expect((await remove(id)).status).toBe(200);
    expect(await inTransaction(db, (tx) => takeTrunkSlot(tx, id))).toBe("full");
  });

  test("races with a call that begins on it: one of them is refused, never neither", async () => {
    const { db } = scene.database;
    for (let round = 0; round < 10; round += 1) {
      const { id } = (await add({ name: `Race ${round}` })).data;
      const [removed, slot] = await Promise.all([remove(id), inTransaction(db, (tx) => takeTrunkSlot(tx, id))]);
      expect([removed.status, slot === "full"]).toEqual(removed.status === 200 ? [200, true] : [409, false]);
    }
  });
});

describe("how a trunk does", () => {
  test("is shown by the calls of the last seven days, in sum, by caller id and by day", async () => {
    const { db } = scene.database;
    const { id } = (await add()).data;
    const note = (callerId: string | null, rang: boolean, answered: boolean) =>
      noteAttempt(db, { trunkId: id, callerId, rang, answered });
    await note("+4930100", true, true);
    await run(db, "update trunk_caller_days set day = day - 7");
    await note("+4930100", true, true);
    await run(db, "update trunk_caller_days set day = day - 1 where day > clock_timestamp() - interval '3 days'");
    await note("+4930100", true, true);
    await note("+4930100", true, false);
    await note(null, false, false);
    const { data } = await read(id);
    expect(data.answers).toEqual({ attempts: 4, rang: 3, answered: 2, answerRate: 0.5 });
    expect(data.answersByCallerId).toEqual([
      { callerId: "+4930100", attempts: 3, rang: 3, answered: 2, answerRate: 0.667 },
      { callerId: null, attempts: 1, rang: 0, answered: 0, answerRate: 0 },
    ]);
    expect(data.answersByDay.map(({ attempts }) => attempts)).toEqual([3, 1]);
    const [listed] = (await scene.call(routes.listTrunks, { as: "operator" })).items;
    expect(listed?.answers).toEqual(data.answers);
  });

  test("is shown by the newest word of each worker", async () => {
    const { db } = scene.database;
    const { id } = (await add()).data;
    const failures: unknown[] = [];
    const notes = new HealthNotes({
      db,
      clock: systemClock,
      workerId: "wrk_1",
      onError: (error) => void failures.push(error),
    });
    const health = { isReachable: true, isRegistered: null, circuit: "closed", trouble: null } as const;
    notes.note(id, health);
    notes.note(id, { ...health, circuit: "open", trouble: "503 Service Unavailable" });
    await expect
      .poll(async () => (await read(id)).data.health)
      .toMatchObject([{ workerId: "wrk_1", isReachable: true, circuit: "open", trouble: "503 Service Unavailable" }]);
    await notes.close();
    expect((await read(id)).data.health).toEqual([]);
    expect(failures).toEqual([]);
  });
});

describe("only operators", () => {
  test("see and change trunks and routes", async () => {
    const { id } = (await add()).data;
    const params = { id };
    const ofTrunks = Object.values(routes).filter(({ path }) => /\/operator\/(trunks|routes)/.test(path));
    expect(ofTrunks.length).toBeGreaterThan(7);
    for (const route of ofTrunks) {
      const reply = await scene.call(route as Route, { as: "owner", params, ...(route.body ? { body: {} } : {}) });
      expect([route.id, reply.status, reply.code]).toEqual([route.id, 403, "not_allowed"]);
      const stranger = await scene.call(route as Route, { params, ...(route.body ? { body: {} } : {}) });
      expect([route.id, stranger.status]).toEqual([route.id, 401]);
    }
  });
});

describe("a trunk of Twilio", () => {
  const account = {
    kind: "twilio",
    host: null,
    username: `AC${"0123456789abcdef".repeat(2)}`,
    password: "a-token-of-twilio",
  };
  const twilio = { name: "Twilio", ...account, callerIds: ["+15550100099"] };

  test("has an account and numbers; its auth token is never shown, and its kind cannot be changed", async () => {
    const { status, data, text } = await add(twilio);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      kind: "twilio",
      host: "api.twilio.com",
      username: account.username,
      hasPassword: true,
    });
    expect(text).not.toContain(account.password);
    expect(scene.logged.join("")).not.toContain(account.password);
    expect((await change(data.id, { kind: "sip" })).status).toBe(422);
    expect((await change(data.id, { host: "evil.example" })).status).toBe(422);
    expect((await change(data.id, { channelsMax: 3 })).data).toMatchObject({ kind: "twilio", channelsMax: 3 });
  });

  test("is refused without a public https address at which Twilio reaches the installation", async () => {
    for (const publicUrl of [null, "http://parley.example"]) {
      scene.reach.publicUrl = publicUrl;
      const refused = await add(twilio);
      expect(refused.status).toBe(422);
      expect(refused.text).toContain("PARLEY_PUBLIC_URL");
    }
    scene.reach.publicUrl = "https://parley.example";
    expect((await add({ ...twilio, name: "Another" })).status).toBe(200);
  });
});

describe("a trunk of Telnyx", () => {
  const account = {
    kind: "telnyx",
    host: null,
    username: "1684641123236054244",
    password: "KEY-of-telnyx",
    publicKey: "e8EqcG9vvPgVLdzjCHbzVNdyNYXm/+2nmYq8QIVSe3g=",
  };
  const telnyx = { name: "Telnyx", ...account, callerIds: ["+15550100099"] };

  test("has an application, an API key that is never shown, and a public key that is", async () => {
    const { status, data, text } = await add(telnyx);
    expect(status).toBe(200);
    const { kind, username, publicKey } = account;
    expect(data).toMatchObject({ kind, host: "api.telnyx.com", username, publicKey, hasPassword: true });
    expect(text).not.toContain(account.password);
    const replaced = `${"B".repeat(43)}=`;
    expect((await change(data.id, { publicKey: replaced })).data).toMatchObject({ publicKey: replaced });
    expect((await change(data.id, { publicKey: null })).status).toBe(422);
  });

  test.each([
    ["without a public key", telnyx, { publicKey: null }],
    ["with a public key that is none", telnyx, { publicKey: "-----BEGIN PUBLIC KEY-----" }],
    [
      "of Twilio with a public key",
      { ...telnyx, kind: "twilio", username: `AC${"0123456789abcdef".repeat(2)}` },
      { name: "Twilio with a key" },
    ],
    ["of SIP with a public key", { name: "SIP with a key", host: "sip.example.com" }, { publicKey: account.publicKey }],
  ])("is refused %s", async (_, trunk, changes) => {
    const { status, text } = await add({ ...trunk, ...changes });
    expect(status).toBe(422);
    expect(JSON.parse(text).error.details.map(({ param }: { param: string }) => param)).toEqual(["publicKey"]);
  });
});
