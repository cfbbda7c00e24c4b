import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Caller, openCaller, SDP } from "./open-caller.ts";
import {
  KEEP_FROM_AND_CONTACT,
  KEEP_VIA_AND_CSEQ,
  pause,
  receive,
  receiveStatus,
  reply,
  replyInCall,
  request,
  scenario,
} from "./peers/sipp-scenario.ts";
import { type Sipp, startSipp } from "./peers/start-sipp.ts";

let caller: Caller;
const started: Sipp[] = [];

async function sipp(text: string, transport: "udp" | "tcp" = "udp"): Promise<Sipp> {
  const running = await startSipp(text, { transport });
  started.push(running);
  return running;
}

beforeEach(async () => {
  caller = await openCaller();
});

afterEach(async () => {
  await caller.close();
  for (const running of started.splice(0)) await running.stop();
  expect(caller.errors).toEqual([]);
});

const CREDENTIALS = { username: "alice", password: "s3cret" };

test.each(["udp", "tcp"] as const)(
  "a callee that answers over %s can be talked to and hung up on",
  async (transport) => {
    const callee = await sipp(
      scenario(
        receive("INVITE"),
        reply(180),
        pause(100),
        reply(200, { withSdp: true, repeats: true }),
        receive("ACK"),
        receive("BYE"),
        replyInCall(200),
      ),
      transport,
    );
    const call = await caller.place(callee.port, { transport });
    expect(await call.until("answered")).toMatchObject({ type: "answered", sdp: expect.stringContaining("m=audio") });
    await call.client.hangup();
    expect(call.events.at(-1)).toMatchObject({ type: "ended", by: "us", isConfirmed: true });
    expect(await callee.finished).toMatchObject({ code: 0 });
  },
);

test("a callee may hang up", async () => {
  const callee = await sipp(
    scenario(
      receive("INVITE", KEEP_FROM_AND_CONTACT),
      reply(200, { withSdp: true, repeats: true }),
      receive("ACK"),
      pause(100),
      request("BYE", 1),
      receiveStatus(200),
    ),
  );
  const call = await caller.place(callee.port);
  expect(await call.until("ended")).toMatchObject({ type: "ended", by: "peer" });
  expect(await callee.finished).toMatchObject({ code: 0 });
});

test.each([
  [486, "Busy Here"],
  [603, "Decline"],
  [503, "Service Unavailable"],
])("a refusal with %i is told and acknowledged", async (status, reason) => {
  const callee = await sipp(
    scenario(receive("INVITE"), reply(180), pause(100), reply(status, { reason, repeats: true }), receive("ACK")),
  );
  const call = await caller.place(callee.port);
  expect(await call.until("failed")).toMatchObject({ type: "failed", status, reason, origin: "peer" });
  expect(await callee.finished).toMatchObject({ code: 0 });
});

test("a call that nobody takes is cancelled", async () => {
  const callee = await sipp(
    scenario(
      receive("INVITE", KEEP_VIA_AND_CSEQ),
      reply(180),
      receive("CANCEL"),
      reply(200),
      reply(487, { reason: "Request Terminated", repeats: true, toKeptInvite: true }),
      receive("ACK"),
    ),
  );
  const call = await caller.place(callee.port, {}, { ringTimeoutMs: 700 });
  expect(await call.until("failed")).toMatchObject({ type: "failed", origin: "no_answer", status: 487 });
  expect(await callee.finished).toMatchObject({ code: 0 });
});

test("an answer that crosses our CANCEL is acknowledged and ended", async () => {
  const callee = await sipp(
    scenario(
      receive("INVITE", KEEP_VIA_AND_CSEQ),
      reply(180),
      receive("CANCEL"),
      reply(200),
      reply(200, { withSdp: true, repeats: true, toKeptInvite: true, addsTag: true }),
      receive("ACK"),
      receive("BYE"),
      replyInCall(200),
    ),
  );
  const call = await caller.place(callee.port);
  await call.until("provisional");
  await call.client.hangup();
  expect(call.events.at(-1)).toMatchObject({ type: "failed", origin: "canceled" });
  expect(await callee.finished).toMatchObject({ code: 0 });
});

test.each([
  ["s3cret", "answered"],
  ["wrong", "failed"],
] as const)("the password %s is verified by the callee after a 401", async (password, outcome) => {
  const challenge =
    'WWW-Authenticate: Digest realm="trunk.test", nonce="47ebe028cda119c35d4877b383027d28da013815", qop="auth", algorithm=MD5';
  const callee = await sipp(
    scenario(
      receive("INVITE"),
      reply(401, { headers: [challenge], repeats: true }),
      receive("ACK"),
      '<recv request="INVITE" crlf="true"><action><verifyauth assign_to="ok" username="alice" password="s3cret"/></action></recv>',
      '<nop hide="true" test="ok" next="good"/>',
      reply(403, { repeats: true }),
      receive("ACK"),
      '<nop hide="true" next="end"/>',
      '<label id="good"/>',
      reply(200, { withSdp: true, repeats: true }),
      receive("ACK"),
      receive("BYE"),
      replyInCall(200),
      '<label id="end"/>',
    ),
  );
  const call = await caller.place(callee.port, { credentials: { ...CREDENTIALS, password } });
  expect((await call.until("answered")).type).toBe(outcome);
  if (outcome === "answered") await call.client.hangup();
  else expect(call.events.at(-1)).toMatchObject({ status: 403 });
  expect(await callee.finished).toMatchObject({ code: 0 });
});

test("the challenge of a proxy is answered as its fixed nonce demands", async () => {
  const md5 = (text: string) => createHash("md5").update(text).digest("hex");
  const nonce = "5f3a";
  const uri = "sip:+15550001@trunk.test;user=phone";
  const expected = md5(`${md5("alice:trunk.test:s3cret")}:${nonce}:${md5(`INVITE:${uri}`)}`);
  const check = `search_in="hdr" header="Proxy-Authorization:" check_it="true" assign_to="1"`;
  const callee = await sipp(
    scenario(
      receive("INVITE"),
      reply(407, { headers: [`Proxy-Authenticate: Digest realm="trunk.test", nonce="${nonce}"`], repeats: true }),
      receive("ACK"),
      `<recv request="INVITE" crlf="true"><action><ereg regexp="response=.${expected}" ${check}/></action></recv>`,
      '<Reference variables="1" />',
      reply(200, { withSdp: true, repeats: true }),
      receive("ACK"),
      receive("BYE"),
      replyInCall(200),
    ),
  );
  const proxy = `sip:127.0.0.1:${callee.port}`;
  const call = await caller.place(callee.port, {
    host: "trunk.test",
    port: null,
    outboundProxy: proxy,
    credentials: CREDENTIALS,
  });
  expect(await call.until("answered")).toMatchObject({ type: "answered" });
  await call.client.hangup();
  expect(await callee.finished).toMatchObject({ code: 0 });
});

test("an answer that is sent twice is acknowledged twice", async () => {
  const answer = (addsTag: boolean) => reply(200, { withSdp: true, toKeptInvite: true, addsTag });
  const callee = await sipp(
    scenario(
      receive("INVITE", KEEP_VIA_AND_CSEQ),
      reply(180),
      answer(true),
      receive("ACK"),
      answer(false),
      receive("ACK"),
      receive("BYE"),
      replyInCall(200),
    ),
  );
  const call = await caller.place(callee.port);
  await call.until("answered");
  await caller.traced("> ACK", 2);
  await call.client.hangup();
  expect(call.events.filter(({ type }) => type === "answered")).toHaveLength(1);
  expect(await callee.finished).toMatchObject({ code: 0 });
});

test("a BYE that is lost is sent again", async () => {
  const callee = await sipp(
    scenario(
      receive("INVITE"),
      reply(200, { withSdp: true, repeats: true }),
      receive("ACK"),
      receive("BYE"),
      pause(1_200),
      replyInCall(200),
    ),
  );
  const call = await caller.place(callee.port);
  await call.until("answered");
  await call.client.hangup();
  expect(caller.trace.filter((line) => line === "> BYE").length).toBeGreaterThanOrEqual(2);
  expect(call.events.at(-1)).toMatchObject({ type: "ended", by: "us", isConfirmed: true });
  expect(await callee.finished).toMatchObject({ code: 0 });
});

test("ringing that wants it is acknowledged by PRACK, and its sound is early", async () => {
  const callee = await sipp(
    scenario(
      receive("INVITE", KEEP_VIA_AND_CSEQ),
      reply(183, { withSdp: true, headers: ["Require: 100rel", "RSeq: 5"], repeats: true }),
      receive("PRACK"),
      replyInCall(200),
      reply(200, { repeats: true, toKeptInvite: true }),
      receive("ACK"),
      receive("BYE"),
      replyInCall(200),
    ),
  );
  const call = await caller.place(callee.port);
  expect(await call.until("earlyMedia")).toMatchObject({ type: "earlyMedia" });
  expect(await call.until("answered")).toMatchObject({ type: "answered", sdp: expect.stringContaining("m=audio") });
  await call.client.hangup();
  expect(await callee.finished).toMatchObject({ code: 0 });
});

test("a callee may offer anew inside the call", async () => {
  const callee = await sipp(
    scenario(
      receive("INVITE", KEEP_FROM_AND_CONTACT),
      reply(200, { withSdp: true, repeats: true }),
      receive("ACK"),
      request("INVITE", 1, true),
      receiveStatus(200),
      request("ACK", 1),
      request("INFO", 2),
      receiveStatus(200),
      request("BYE", 3),
      receiveStatus(200),
    ),
  );
  const offers: string[] = [];
  const media = {
    answerOffer: (offer: string) => {
      offers.push(offer);
      return { sdp: SDP };
    },
    currentOffer: () => SDP,
    acceptAnswer: () => undefined,
  };
  const call = await caller.place(callee.port, {}, { media });
  expect(await call.until("ended")).toMatchObject({ type: "ended", by: "peer" });
  expect(offers).toEqual([expect.stringContaining("m=audio")]);
  expect(call.events.map(({ type }) => type)).toContain("info");
  expect(await callee.finished).toMatchObject({ code: 0 });
});
