import { openCalleeVoice } from "@parley/server/phone/carriers/callee-speech";
import type { SimulatedCalleePlan } from "@parley/telephony/carrier";
import { MediaThread } from "@parley/telephony/rtp/media/media-thread";
import { createSimulatedNetwork, type SimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { openUdpTransport } from "@parley/telephony/sip/transport/udp";
import type { FarPlan } from "@parley/telephony/sip-carrier/testing/far-call";
import { FarEnd } from "@parley/telephony/sip-carrier/testing/far-end";
import type { TelnyxServer } from "@parley/telephony/telnyx/testing/telnyx-server";
import { freePorts } from "@parley/telephony/testing/free-ports";
import type { TwilioServer } from "@parley/telephony/twilio/testing/twilio-server";
import { systemClock } from "@parley/time/clock";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, getCall, placeCall, untilPhase } from "../harness/calls.ts";
import { claim, makeKey } from "../harness/claim.ts";
import { freePort } from "../harness/free-port.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";
import { likenessOfMoments } from "../sip/audio/likeness.ts";
import { describeHeld, fetchRecording, holdCall, loudness } from "../voice/held-calls.ts";
import { CALLER_ID, TELNYX, TWILIO } from "./phone-vendors.ts";

/** One of the lines that came with the installation, so that it is not rendered during the call. */
const ANSWER = "Yes, I will come.";
const ANSWERS: SimulatedCalleePlan = {
  answerAfterMs: 300,
  script: [{ waitForTurn: true }, { say: ANSWER }, { waitMs: 60_000 }],
};
const LISTENS: SimulatedCalleePlan = { answerAfterMs: 300, script: [{ waitMs: 120_000 }] };
const HANGS_UP: SimulatedCalleePlan = { answerAfterMs: 300, script: [{ waitMs: 800 }, { hangUp: true }] };
const SPEECH_RMS = 300;
const settings = { voice: "slt", disclosure: null };
const QUESTION = {
  schemaVersion: 1,
  settings,
  nodes: [
    { id: "start", type: "start", next: "coming" },
    {
      ...{ id: "coming", type: "ask", text: "Will you come on Tuesday?", answer: "yes_no", saveAs: "coming" },
      ...{ exits: [], next: "bye", otherwise: "bye" },
    },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
};
const transferTo = (to: string) => ({
  schemaVersion: 1,
  settings,
  nodes: [
    { id: "start", type: "start", next: "desk" },
    { id: "desk", type: "transfer", text: "One moment, I connect you.", to, how: "auto", failed: "bye" },
    { id: "bye", type: "end", text: "The shop does not answer. Goodbye." },
  ],
});

/** Numbers that begin alike have the same trunks, in this order. */
const PREFIXES = {
  twilio: "1202",
  telnyx: "1302",
  sipThenTwilio: "1402",
  twilioThenSip: "1502",
  telnyxThenSip: "1602",
};
const VENDORS = ["twilio", "telnyx"] as const;
const numberOn = (route: keyof typeof PREFIXES, line: string) => `+${PREFIXES[route]}555${line}`;

const PLANS: Readonly<Record<string, SimulatedCalleePlan>> = {
  "0101": ANSWERS,
  "0102": LISTENS,
  // The party that a callee is transferred to.
  "0103": LISTENS,
  "0104": HANGS_UP,
  "0105": { answerAfterMs: 300, script: [{ waitMs: 8_000 }, { hangUp: true }] },
};
const FAR_PLANS: Readonly<Record<string, FarPlan>> = {
  // Refused before anything rang.
  "0201": { ringsAfterMs: null, refuses: { status: 503, reason: "Out Of Order" } },
  // Refused after the phone rang.
  "0202": { refuses: { status: 480, reason: "Temporarily Unavailable" } },
  "0203": { hangsUpAfterMs: 800 },
};

let scene: Scene;
let network: SimulatedNetwork;
let voice: ReturnType<typeof openCalleeVoice>;
let vendors: { twilio: TwilioServer; telnyx: TelnyxServer };
let thread: MediaThread;
let sip: FarEnd;
let live: Caller;
let workers: ServiceProcess[];
let env: Readonly<Record<string, string>>;

const planOf = (number: string) => PLANS[number.slice(-4)];

beforeAll(async () => {
  scene = await Scene.open();
  voice = openCalleeVoice();
  network = createSimulatedNetwork({ clock: systemClock, voice });
  vendors = { twilio: await TWILIO.open(network, planOf), telnyx: await TELNYX.open(network, planOf) };
  thread = new MediaThread();
  sip = new FarEnd({
    clock: systemClock,
    transport: await openUdpTransport({ address: "127.0.0.1", port: 0 }),
    thread,
    planOf: (number) => FAR_PLANS[number.slice(-4)] ?? {},
  });
  const port = await freePort();
  env = {
    PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PARLEY_TWILIO_URL: vendors.twilio.url,
    PARLEY_TELNYX_URL: vendors.telnyx.url,
    PARLEY_OUTBOUND_ALLOW: "loopback",
    PARLEY_SIP_HOST: "127.0.0.1",
    PARLEY_SIP_PORT: String(await freePorts(8)),
  };
  const api = await scene.start({ env: { ...env, PARLEY_ROLES: "api,jobs" }, port });
  const { agentId, claimToken } = await readFirstRun(api);
  const { cookie } = await claim(api.url, claimToken);
  const operate = async (path: string, body: object, method = "POST") => {
    const headers = { cookie, origin: api.url };
    const reply = await ask(api.url, `/api/v1/operator${path}`, { method, body, headers });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return reply.body.data as { id: string };
  };
  await operate("/gate", { callingHours: null }, "PATCH");
  const sipTrunk = { host: "127.0.0.1", port: sip.port, pingIntervalSeconds: null, callerIds: [CALLER_ID] };
  const trunks = {
    twilio: (await operate("/trunks", TWILIO.trunk)).id,
    telnyx: (await operate("/trunks", TELNYX.trunk)).id,
    sip: (await operate("/trunks", { name: "SIP", ...sipTrunk })).id,
  };
  const orders: Record<keyof typeof PREFIXES, readonly (keyof typeof trunks)[]> = {
    twilio: ["twilio"],
    telnyx: ["telnyx"],
    sipThenTwilio: ["sip", "twilio"],
    twilioThenSip: ["twilio", "sip"],
    telnyxThenSip: ["telnyx", "sip"],
  };
  for (const [route, order] of Object.entries(orders) as [keyof typeof PREFIXES, (typeof orders)["twilio"]][])
    for (const [priority, trunk] of order.entries())
      await operate("/routes", { prefix: PREFIXES[route], trunkId: trunks[trunk], priority });
  live = { url: api.url, agentId, key: await makeKey(api.url, cookie, "live") };
  // One call each, so that two calls at once are on two workers.
  const startWorker = async () => {
    const firstRtp = await freePorts(20);
    const talks = { PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off", PARLEY_CALL_SLOTS: "1" };
    return scene.startRole("calls", {
      env: { ...env, ...talks, PARLEY_RTP_PORTS: `${firstRtp}-${firstRtp + 19}` },
    });
  };
  workers = [await startWorker(), await startWorker()];
}, 240_000);
afterAll(async () => {
  await scene?.close();
  await Promise.all([vendors?.twilio.close(), vendors?.telnyx.close()]);
  await network?.close();
  await voice?.close();
  await sip?.close();
  await thread?.stop();
});

async function makeAgent(flow: object): Promise<string> {
  const body = { name: "Agent", language: "en-US", flow };
  const made = await ask(live.url, "/api/v1/agents", { key: live.key, body });
  const agentId: string = made.body.data.id;
  await ask(live.url, `/api/v1/agents/${agentId}/publish`, { key: live.key, method: "POST" });
  return agentId;
}

const eventsOf = async (id: string): Promise<{ type: string; data: Record<string, unknown> }[]> =>
  (await ask(live.url, `/api/v1/calls/${id}/events`, { key: live.key })).body.data;
const workersOf = async (ids: readonly string[]) =>
  (await scene.query(`select distinct worker_id from call_runs where call_id in ('${ids.join("', '")}')`)).length;

/** How often each phone with this number rang, whatever network it is on. */
function timesRung(number: string): number {
  const rings = [...vendors.twilio.calls, ...vendors.telnyx.calls].filter(({ to }) => to === number);
  const onSip = [...sip.calls.values()].filter(({ invite }) => invite.uri.includes(number));
  return [...rings, ...onSip].reduce((sum, { timesRung: times }) => sum + times, 0);
}

test.each(VENDORS)("a conversation over %s stores what both sides said, and how they sounded", async (vendor) => {
  const held = await holdCall({ ...live, agentId: await makeAgent(QUESTION) }, numberOn(vendor, "0101"));
  const { call, speech } = held;
  const why = describeHeld(held);
  expect(call, why).toMatchObject({ status: "completed", endReason: "agent_hangup", carrier: { name: vendor } });
  expect(call.collected, why).toMatchObject({ coming: true });
  expect(speech.map(({ role }) => role)).toEqual(["agent", "callee", "agent"]);
  expect(speech[1]?.text, why).toMatch(/yes/i);
  expect(call.recording).toMatchObject({ status: "ready", partial: false, reason: null });
  const { callee, agent } = await fetchRecording(live, call.id);
  for (const { role, startMs, endMs } of speech) {
    const [own, other] = role === "agent" ? [agent, callee] : [callee, agent];
    expect(loudness(own, startMs, endMs), `${role} at ${startMs} ms`).toBeGreaterThan(SPEECH_RMS);
    expect(loudness(other, startMs + 200, endMs - 200), `beside ${role} at ${startMs} ms`).toBeLessThan(50);
  }
  // Sample by sample what the callee said, save for moments that a busy machine lost.
  const said = await voice.render(ANSWER, voice.cast?.([ANSWER], "human") ?? "human");
  expect(likenessOfMoments(said, callee)).toBeGreaterThan(0.99);
});

test("the callbacks and streams of calls on two workers, over two vendors, come through one process", async () => {
  const ids = await Promise.all(VENDORS.map((vendor) => placeCall(live, numberOn(vendor, "0105"))));
  for (const id of ids) await untilPhase(live, id, "talking", 60_000);
  expect(await workersOf(ids)).toBe(2);
  for (const [index, id] of ids.entries()) {
    const call = await untilPhase(live, id, "ended", 60_000);
    expect(call).toMatchObject({ status: "completed", endReason: "callee_hangup", carrier: { name: VENDORS[index] } });
    expect(call.quality).toMatchObject({ lossPercent: 0 });
  }
});

describe("a callee who is transferred by the vendor", () => {
  test("is connected, and our call ends as transferred while the two go on", async () => {
    for (const vendor of VENDORS) {
      const party = numberOn(vendor, "0103");
      const { call, ...held } = await holdCall(
        { ...live, agentId: await makeAgent(transferTo(party)) },
        numberOn(vendor, "0102"),
      );
      expect(call, describeHeld({ call, ...held })).toMatchObject({ status: "completed", endReason: "transferred" });
      const states = (await eventsOf(call.id)).filter(({ type }) => type === "call.transfer");
      expect(states.map(({ data }) => data["state"])).toEqual(["trying", "ringing", "completed"]);
      const legs = vendors[vendor].calls.filter(({ to }) => to === party || to === numberOn(vendor, "0102"));
      expect(legs.map(({ endedAtMs, timesRung: times }) => [endedAtMs, times])).toEqual([
        [null, 1],
        [null, 1],
      ]);
    }
  });

  test("is the agent's again if the other party is busy, and hears so", async () => {
    for (const vendor of VENDORS) {
      const busy = numberOn(vendor, "0002");
      const held = await holdCall({ ...live, agentId: await makeAgent(transferTo(busy)) }, numberOn(vendor, "0102"));
      const why = describeHeld(held);
      expect(held.call, why).toMatchObject({ status: "completed", endReason: "agent_hangup" });
      const states = (await eventsOf(held.call.id)).filter(({ type }) => type === "call.transfer");
      expect(states.at(-1)?.data, why).toMatchObject({ state: "failed" });
      expect(held.speech.at(-1), why).toMatchObject({ heardText: "The shop does not answer. Goodbye." });
    }
  });
});

// In this order, because a worker skips a trunk for a while after it refused a call.
describe("with another trunk to fall back on", () => {
  const end = (id: string) => untilPhase(live, id, "ended", 90_000);
  afterEach(() => {
    for (const vendor of VENDORS) vendors[vendor].faults.onCreate = () => null;
  });

  test("no trunk is tried after a vendor that dialed and whose reply was lost", async () => {
    for (const vendor of VENDORS) vendors[vendor].faults.onCreate = () => "drop_reply";
    const numbers = VENDORS.map((vendor) => numberOn(`${vendor}ThenSip`, "0104"));
    for (const id of await Promise.all(numbers.map((number) => placeCall(live, number)))) {
      const call = await end(id);
      expect(call, JSON.stringify([call.carrier, await eventsOf(id)])).toMatchObject({
        status: "completed",
        endReason: "callee_hangup",
      });
    }
    expect(numbers.map(timesRung)).toEqual([1, 1]);
  });

  test("a vendor is tried after a SIP trunk that rang no phone, and not after one that did", async () => {
    const refused = numberOn("sipThenTwilio", "0201");
    const rang = numberOn("sipThenTwilio", "0202");
    const [first, second] = await Promise.all([placeCall(live, refused), placeCall(live, rang)]);
    await until(
      async () => vendors.twilio.calls.filter(({ to }) => to === refused),
      (calls) => calls.length === 1,
      30_000,
    );
    await until(
      () => getCall(live, first),
      ({ phase }) => phase === "talking",
      30_000,
    );
    await ask(live.url, `/api/v1/calls/${first}/hangup`, { key: live.key, method: "POST" });
    expect(await end(first)).toMatchObject({ status: "completed", network: "Twilio", carrier: { name: "twilio" } });
    expect(await end(second)).toMatchObject({ status: "failed", network: "SIP", carrier: { name: "sip" } });
    expect([timesRung(refused), timesRung(rang)]).toEqual([1, 1]);
    expect(vendors.twilio.calls.filter(({ to }) => to === rang)).toEqual([]);
  });

  test("no trunk is tried after a vendor of which it stays unknown whether it dialed", async () => {
    const faults = { twilio: "error_before_dial", telnyx: "drop_request" } as const;
    for (const vendor of VENDORS) vendors[vendor].faults.onCreate = () => faults[vendor];
    const numbers = VENDORS.map((vendor) => numberOn(`${vendor}ThenSip`, "0203"));
    const before = numbers.map(timesRung);
    const ids = await Promise.all(numbers.map((number) => placeCall(live, number)));
    for (const [index, id] of ids.entries())
      expect(await end(id)).toMatchObject({ status: "failed", carrier: { name: VENDORS[index] } });
    expect(numbers.map(timesRung)).toEqual(before);
  });

  test.each(VENDORS)("a SIP trunk is tried after %s refused a call", async (vendor) => {
    const number = numberOn(`${vendor}ThenSip`, "0203");
    vendors[vendor].faults.onCreate = () => "too_many_requests";
    const call = await end(await placeCall(live, number));
    expect(call).toMatchObject({ status: "completed", network: "SIP", carrier: { name: "sip" } });
    expect(timesRung(number)).toBe(1);
  });
});

test("callees of workers that were killed are let go by another, over both vendors", async () => {
  const numbers = VENDORS.map((vendor) => numberOn(vendor, "0102"));
  const ids = await Promise.all(numbers.map((number) => placeCall(live, number)));
  for (const id of ids) await untilPhase(live, id, "talking", 60_000);
  const lastTo = (index: number) =>
    vendors[VENDORS[index] ?? "twilio"].calls.findLast(({ to }) => to === numbers[index]);
  expect(ids.map((_, index) => lastTo(index)?.endedAtMs)).toEqual([null, null]);
  await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
  await scene.startRole("calls", { env });
  for (const [index, id] of ids.entries()) {
    expect(await untilPhase(live, id, "ended", 60_000)).toMatchObject({ status: "failed", endReason: "worker_lost" });
    await until(
      async () => lastTo(index)?.endedAtMs,
      (endedAtMs) => endedAtMs !== null,
      30_000,
    );
  }
});
