import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";
import { type CallPlan, describeHeld, fetchRecording, type HeldCall, holdCalls, loudness } from "./held-calls.ts";

/** Speech is far louder than the noise of the lines that are not noisy. */
const SPEECH_RMS = 300;
/** As many as a small machine conducts beside other work, while their callees think on the same processors. */
const AT_ONCE_MAX = 5;
const UNWANTED = "+15550200026";
const VARIABLES = { first_name: "Ada", from_whom: "from Green Street Dental", appointment_time: "on Tuesday at ten" };

/** Asks for a number to call back, which no sample does. */
const ASKS_FOR_NUMBER = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "number" },
    {
      id: "number",
      type: "ask",
      text: "Hello, this is an automated call. What is your phone number?",
      answer: "phone",
      saveAs: "number",
      exits: [],
      next: "bye",
      otherwise: "bye",
      retries: { max: 2 },
      patience: "patient",
    },
    { id: "bye", type: "end", text: "Thank you. Goodbye." },
  ],
};

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;
let caller: { readonly url: string; readonly key: string };
let held: Readonly<Record<keyof ReturnType<typeof plansFor>, HeldCall>>;

// A fresh installation, with its own voice and ears and nothing else: no key, no network.
beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataDir: folder.path, env: { PARLEY_CONVERSATION_THREADS: "1" } });
  caller = { url: service.url, key: (await readFirstRun(service)).key };
  held = await holdCalls(caller, plansFor(await agentsByName()), AT_ONCE_MAX);
}, 600_000);
afterAll(async () => {
  await service?.end("SIGINT");
  await folder?.remove();
});

/** The longest first, so that none of them is waited for alone in the end. */
function plansFor(agents: Readonly<Record<string, string>>) {
  const call = (agent: string, lastDigits: string, more: object = {}): CallPlan => {
    const agentId = agents[agent];
    if (agentId === undefined) throw new Error(`there is no agent ${agent}`);
    return { agentId, phoneNumber: `+1555010${lastDigits}`, more };
  };
  const appointment = (lastDigits: string, more: object = {}) =>
    call("Appointment confirmation", lastDigits, { variables: VARIABLES, ...more });
  return {
    putsOnHold: appointment("0017"),
    neverSpeaks: appointment("0009"),
    givesBadMark: call("Satisfaction survey", "0020"),
    movesDelivery: call("Delivery notice", "0020"),
    needsMoreTime: call("Payment reminder", "0020"),
    pressesMark: call("Satisfaction survey", "0024"),
    movesAppointment: appointment("0020"),
    correctsItself: appointment("0023"),
    hardOfHearing: appointment("0022"),
    menu: appointment("0008"),
    screened: appointment("0018"),
    interrupts: appointment("0010"),
    speaksSlowly: appointment("0014"),
    saysMhm: appointment("0016"),
    echoes: appointment("0015"),
    badLine: appointment("0012"),
    hasPaid: call("Payment reminder", "0021"),
    cancels: appointment("0021"),
    dictates: call("Asks for a number", "0025"),
    confirms: appointment("0001"),
    passedOn: appointment("0028", { variables: { ...VARIABLES, desk_number: "+15550100001" } }),
    takesDelivery: call("Delivery notice", "0001"),
    voicemail: appointment("0007", {
      voicemail: { action: "leave_message", message: "Please call {{first_name}} back." },
    }),
    unwanted: { ...appointment("0026", { record: false }), phoneNumber: UNWANTED },
    wrongNumber: appointment("0027"),
    hangsUp: appointment("0011"),
    fax: appointment("0019"),
  };
}

async function agentsByName(): Promise<Readonly<Record<string, string>>> {
  const { url, key } = caller;
  const made = await ask(url, "/api/v1/agents", {
    key,
    body: { name: "Asks for a number", language: "en-US", flow: ASKS_FOR_NUMBER },
  });
  await ask(url, `/api/v1/agents/${made.body.data.id}/publish`, { key, method: "POST" });
  const { body } = await ask(url, "/api/v1/agents?limit=100", { key });
  return Object.fromEntries(body.data.map(({ name, id }: { name: string; id: string }) => [name, id]));
}

const weekdayOf = (date: unknown) => new Date(String(date)).getUTCDay();
const agentSaid = ({ speech }: HeldCall) =>
  speech.flatMap(({ role, heardText }) => (role === "agent" ? [heardText ?? ""] : [])).join(" ");

describe("an appointment", () => {
  test("is confirmed by a friendly person, who goes by what it hears", () => {
    expect(held.confirms.call, describeHeld(held.confirms)).toMatchObject({
      status: "completed",
      endReason: "agent_hangup",
      answeredBy: "human",
      collected: { outcome: "confirmed" },
    });
  });

  test("is moved in at least six turns, and what was said is collected", () => {
    const { call, speech } = held.movesAppointment;
    expect(call.collected, describeHeld(held.movesAppointment)).toMatchObject({ outcome: "moved", new_time: "10:00" });
    expect(weekdayOf(call.collected?.["new_date"])).toBe(5);
    expect(speech.length).toBeGreaterThanOrEqual(6);
    expect(agentSaid(held.movesAppointment)).toContain("Friday");
  });

  test("is canceled after it was made sure", () => {
    expect(held.cancels.call.collected, describeHeld(held.cancels)).toMatchObject({ outcome: "canceled" });
  });

  test("is confirmed by who first asks what was said", () => {
    expect(held.hardOfHearing.call.collected, describeHeld(held.hardOfHearing)).toMatchObject({ outcome: "confirmed" });
  });

  test("is moved to the day that the callee said last", () => {
    const { call } = held.correctsItself;
    expect(call.collected, describeHeld(held.correctsItself)).toMatchObject({ outcome: "moved" });
    expect(weekdayOf(call.collected?.["new_date"])).toBe(4);
  });

  test("is talked about with a person by who wants one, where there is somebody", () => {
    const { call } = held.passedOn;
    expect(call, describeHeld(held.passedOn)).toMatchObject({ status: "completed", endReason: "transferred" });
  });

  test("is left as it is where somebody else has the number", () => {
    expect(held.wrongNumber.call.collected, describeHeld(held.wrongNumber)).toMatchObject({ outcome: "wrong_number" });
  });
});

describe("the other agents that need no model", () => {
  test.each([
    ["takesDelivery", { outcome: "as_planned" }],
    ["movesDelivery", { outcome: "on_another_day" }],
    ["needsMoreTime", { outcome: "requested" }],
    ["hasPaid", { outcome: "paid" }],
    ["givesBadMark", { outcome: "answered", rating: 2 }],
    ["pressesMark", { outcome: "answered", rating: 4 }],
  ] as const)("come to the right end with who %s", (name, collected) => {
    expect(held[name].call, describeHeld(held[name])).toMatchObject({ status: "completed", collected });
  });

  test("take down a comment in the callee's own words", () => {
    expect(String(held.givesBadMark.call.collected?.["reason"]), describeHeld(held.givesBadMark)).toMatch(/long/);
  });

  test("take down a phone number that is said in groups, with pauses", () => {
    expect(held.dictates.call.collected, describeHeld(held.dictates)).toMatchObject({ number: "5550100123" });
  });
});

describe("people on all kinds of lines", () => {
  test.each(["interrupts", "badLine", "speaksSlowly", "echoes", "putsOnHold"] as const)(
    "are talked to until they have answered: who %s",
    (name) => {
      const { call } = held[name];
      expect(call, describeHeld(held[name])).toMatchObject({ status: "completed", answeredBy: "human" });
      expect(call.collected, describeHeld(held[name])).toMatchObject({ outcome: "confirmed" });
    },
  );

  test("who echoes does not interrupt the agent with its own voice", () => {
    const { call, speech } = held.echoes;
    expect(call.latency?.interruptions, describeHeld(held.echoes)).toBe(0);
    expect(speech.filter(({ interrupted }) => interrupted)).toEqual([]);
  });

  test("who interrupts is let speak", () => {
    const { call, speech } = held.interrupts;
    expect(call.latency?.interruptions, describeHeld(held.interrupts)).toBeGreaterThanOrEqual(1);
    const cut = speech.find(({ role, interrupted }) => role === "agent" && interrupted);
    expect(cut?.heardText?.length).toBeLessThan(cut?.text.length ?? 0);
  });

  test("who hums while it listens is a person, and is talked to until the call comes to its end", () => {
    expect(held.saysMhm.call, describeHeld(held.saysMhm)).toMatchObject({ status: "completed", answeredBy: "human" });
  });

  test("music is waited out", () => {
    const notes = held.putsOnHold.items.flatMap((item) => (item.type === "note" ? [item.text] : []));
    expect(notes, describeHeld(held.putsOnHold)).toEqual(expect.arrayContaining(["hold music", "hold music over"]));
  });

  test("who says nothing is asked once, and then hung up on", () => {
    const { call } = held.neverSpeaks;
    expect(call, describeHeld(held.neverSpeaks)).toMatchObject({ status: "completed", endReason: "silence" });
    expect(agentSaid(held.neverSpeaks)).toContain("Are you still there?");
  });

  test("who hangs up in the middle has heard no more than was said until then", () => {
    const { call, speech } = held.hangsUp;
    expect(call).toMatchObject({ status: "completed", endReason: "callee_hangup", endedBy: "callee" });
    const [greeting] = speech.filter(({ role }) => role === "agent");
    expect(greeting?.heardText?.length).toBeLessThan(greeting?.text.length ?? 0);
  });
});

describe("machines", () => {
  test("a voicemail gets the message that the call brought, after its tone", () => {
    const { call, speech } = held.voicemail;
    expect(call, describeHeld(held.voicemail)).toMatchObject({
      status: "completed",
      endReason: "voicemail_left",
      answeredBy: "voicemail",
    });
    expect(speech.at(-1)).toMatchObject({ role: "agent", heardText: "Please call Ada back." });
  });

  test("a phone menu is asked for a person, who is then talked to", () => {
    expect(held.menu.items, describeHeld(held.menu)).toContainEqual(
      expect.objectContaining({ type: "dtmf", by: "agent", key: "0" }),
    );
    expect(held.menu.call, describeHeld(held.menu)).toMatchObject({ collected: { outcome: "confirmed" } });
  });

  test("who screens calls is told who calls, and the person behind is then talked to", () => {
    expect(agentSaid(held.screened), describeHeld(held.screened)).toContain("automated call from Green Street Dental");
    expect(held.screened.call, describeHeld(held.screened)).toMatchObject({ collected: { outcome: "confirmed" } });
  });

  test("a fax is hung up on", () => {
    expect(held.fax.call).toMatchObject({ endReason: "fax", answeredBy: "fax" });
  });
});

describe("what is kept of a call", () => {
  test("is its sound, the callee on the left and the agent on the right, at the times of the transcript", async () => {
    const { call, speech } = held.movesAppointment;
    const { callee, agent } = await fetchRecording(caller, call.id);
    expect(call.recording).toMatchObject({ status: "ready", partial: false });
    expect(callee.length).toBe(agent.length);
    expect(callee.length / 8_000).toBeCloseTo(call.recording?.durationSeconds ?? 0, 1);
    expect(callee.length / 8_000).toBeLessThanOrEqual((call.durationSeconds ?? 0) + 1);
    for (const { role, startMs, endMs } of speech) {
      const own = role === "agent" ? agent : callee;
      expect(loudness(own, startMs, endMs), `${role} at ${startMs} ms`).toBeGreaterThan(SPEECH_RMS);
    }
  });

  test("is what was said, in its order, and how quickly each reply came", () => {
    for (const each of Object.values(held)) {
      const starts = each.items.map(({ startMs }) => startMs);
      expect(starts, describeHeld(each)).toEqual(starts.toSorted((one, other) => one - other));
    }
    const timed = held.movesAppointment.speech.filter(({ timing }) => timing !== null);
    expect(held.movesAppointment.call.latency?.turns).toBe(timed.length);
    expect(timed.length).toBeGreaterThanOrEqual(3);
  });

  test("can be read as text and shown as captions", async () => {
    const { call, speech } = held.movesAppointment;
    const read = async (format: string) =>
      (await ask(caller.url, `/api/v1/calls/${call.id}/transcript?format=${format}`, { key: caller.key })).body;
    expect(await read("text")).toMatch(/^\[00:0\d\] (Callee|Agent): /);
    expect((await read("vtt")).split("-->").length - 1).toBeGreaterThanOrEqual(speech.length);
  });
});

describe("who says that it wants no calls", () => {
  test("is told that there will be none, and is on the list that everybody can look at", async () => {
    expect(held.unwanted.call, describeHeld(held.unwanted)).toMatchObject({ status: "completed", endedBy: "agent" });
    const query = new URLSearchParams({ phoneNumber: UNWANTED });
    const { body } = await ask(caller.url, `/api/v1/suppressions?${query}`, { key: caller.key });
    expect(body.data).toMatchObject([{ phoneNumber: UNWANTED }]);
  });

  test("is not called again", async () => {
    const { agentId } = held.unwanted.call;
    const again = await ask(caller.url, "/api/v1/calls", {
      key: caller.key,
      body: { phoneNumber: UNWANTED, agentId, engine: "local" },
    });
    expect(again).toMatchObject({ status: 403, body: { error: { code: "destination_not_allowed" } } });
  });

  test("leaves no recording where none was wanted", async () => {
    const { call } = held.unwanted;
    expect(call.recording).toBeNull();
    const gone = await ask(caller.url, `/api/v1/calls/${call.id}/recording`, { key: caller.key });
    expect(gone.body.error.code).toBe("not_found");
  });
});
