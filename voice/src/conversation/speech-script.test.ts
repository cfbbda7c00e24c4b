import { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import type { ScriptNote } from "../ports/speech-model.ts";
import type { ToolRequest } from "../ports/tool-caller.ts";
import { createSpeechScript } from "./speech-script.ts";
import { TEST_MOMENT_MS } from "./testing/flow-rig.ts";

const TALK = {
  id: "talk",
  type: "conversation",
  prompt: "Confirm the visit of {{name}}.",
  tools: ["find_slot"],
  exits: [
    { when: "the visit is confirmed", next: "confirmed" },
    { when: "the callee wants a person", next: "person" },
  ],
  saves: [
    { saveAs: "day", kind: "date", description: "The day of the visit." },
    { saveAs: "guests", kind: "number" },
  ],
  otherwise: "bye",
};
const NODES = [
  TALK,
  { id: "confirmed", type: "end", text: "See you on {{day}}. Goodbye.", outcome: "confirmed" },
  { id: "person", type: "transfer", to: "+15550100002", text: "One moment.", failed: "bye" },
  { id: "bye", type: "end", text: "Thank you, goodbye." },
];
const TOOL = {
  name: "find_slot",
  description: "Finds a free time for {{name}}.",
  parameters: [{ name: "day", kind: "date", required: true }],
  request: { method: "GET", url: "https://example.com/slots?day={{day}}" },
};

const SPANISH = {
  language: "es-ES",
  texts: {
    "See you on {{day}}. Goodbye.": "Hasta el {{day}}. Adiós.",
    "One moment.": "Un momento.",
    "Thank you, goodbye.": "Gracias, adiós.",
  },
};

function openScript({
  nodes = NODES as readonly object[],
  settings = {},
  mayDial = true,
  spoken = [] as readonly string[],
} = {}) {
  const [first] = nodes as { id: string }[];
  const flow = Flow.parse({
    schemaVersion: 1,
    variables: ["name"],
    nodes: [{ id: "start", type: "start", next: first?.id }, ...nodes],
    tools: [TOOL],
    settings,
  });
  const compiled = compileFlow(flow);
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join(" "));
  const requests: ToolRequest[] = [];
  const notes: ScriptNote[] = [];
  const faults: unknown[] = [];
  const script = createSpeechScript({
    plan: compiled.plan,
    call: {
      ...{ id: "call_1", phoneNumber: "+15550100001", from: null, mode: "test", isRecorded: true },
      ...{ startedAtMs: TEST_MOMENT_MS, timeZone: "UTC" },
    },
    language: "en-US",
    spoken,
    variables: { name: "Ada" },
    toolCaller: {
      async call(request) {
        requests.push(request);
        return { status: 200, body: { slot: "ten" } };
      },
    },
    mayDial: async () => (mayDial ? { isAllowed: true } : { isAllowed: false, reason: "no" }),
    timers: createVirtualClock(),
    signal: new AbortController().signal,
    noteFault: (fault) => void faults.push(fault),
  });
  const opening = script.begin((note) => void notes.push(note));
  const call = (name: string, input: object = {}) => script.call({ id: `${name}_1`, name, input });
  return { script, opening, call, notes, requests, faults };
}

describe("an agent that is one conversation, as a script", () => {
  it("begins with the disclosure and the first text, word for word", () => {
    const greeted = openScript({ nodes: [{ ...TALK, text: "Good morning, {{name}}." }, ...NODES.slice(1)] });
    expect(greeted.opening).toEqual({
      text: "I am an automated assistant, and this call is recorded. Good morning, Ada.",
      mustHear: "I am an automated assistant, and this call is recorded.",
      goesOn: false,
    });
    expect(openScript().opening).toMatchObject({ text: expect.stringContaining("automated"), goesOn: true });
    const silent = openScript({ settings: { disclosure: null } });
    expect(silent.opening).toEqual({ text: null, mustHear: null, goesOn: true });
    expect(greeted.notes).toEqual([
      { type: "entered", nodeId: "start" },
      { type: "entered", nodeId: "talk", exit: "next" },
    ]);
  });

  it("instructs the model with its role, language, values, ways out and variables", () => {
    const { instructions, tools } = openScript().script;
    expect(instructions).toContain("Speak American English");
    expect(instructions).toContain("Confirm the visit of Ada.");
    expect(instructions).toContain("- EXIT_1: the visit is confirmed");
    expect(instructions).toContain("- day: The day of the visit.");
    expect(instructions).toContain("do not deny that you are an automated assistant");
    expect(tools.map(({ name }) => name)).toEqual([
      ...["find_slot", "EXIT_1", "EXIT_2", "SAVE_VALUES", "HANG_UP", "STOP_CALLING"],
    ]);
    expect(tools[0]?.description).toBe("Finds a free time for Ada.");
  });

  it("notes values of the right kind, and tells the model about the others", async () => {
    const { call, notes } = openScript();
    const outcome = await call("SAVE_VALUES", { day: "tomorrow", guests: "4", other: 1 });
    expect(outcome).toEqual({
      output: { ok: false, saved: { guests: 4 }, wrong: { day: "must be a date as YYYY-MM-DD" } },
      say: null,
      next: null,
    });
    expect(notes.slice(2)).toEqual([{ type: "collected", name: "guests", value: 4 }]);
  });

  it("hangs up by an exit with what was collected before and now, in the words of the flow", async () => {
    const { call, notes } = openScript();
    await call("SAVE_VALUES", { day: "2026-03-05" });
    const outcome = await call("EXIT_1", { guests: 2 });
    expect(outcome).toMatchObject({
      say: expect.stringMatching(/^See you on .*March.* Goodbye\.$/),
      next: { type: "hang_up", reason: "agent_hangup" },
    });
    expect(notes).toContainEqual({ type: "collected", name: "day", value: "2026-03-05" });
    expect(notes).toContainEqual({ type: "collected", name: "guests", value: 2 });
    expect(notes.at(-1)).toEqual({ type: "entered", nodeId: "confirmed", exit: "exits[0].next" });
  });

  it("transfers if the number may be called, and otherwise goes on as the flow says", async () => {
    const allowed = openScript();
    allowed.script.permitEffects();
    expect(await allowed.call("EXIT_2")).toMatchObject({
      say: "One moment.",
      next: { type: "transfer", request: { to: "+15550100002", how: "auto" } },
    });
    expect(await allowed.script.failTransfer()).toMatchObject({ say: "Thank you, goodbye." });
    const refused = openScript({ mayDial: false });
    refused.script.permitEffects();
    expect(await refused.call("EXIT_2")).toMatchObject({ say: "Thank you, goodbye.", next: { type: "hang_up" } });
  });

  it("sends the requests of its tools, but not before a person is there", async () => {
    const { script, call, notes, requests } = openScript();
    const calling = call("find_slot", { day: "2026-03-05" });
    await Promise.resolve();
    expect(requests).toEqual([]);
    script.permitEffects();
    expect(await calling).toEqual({ output: { slot: "ten" }, say: null, next: null });
    expect(requests).toMatchObject([{ url: "https://example.com/slots?day=2026-03-05" }]);
    expect(notes.slice(2)).toEqual([
      { type: "tool_call", id: "find_slot_1", name: "find_slot", input: { day: "2026-03-05" } },
      { type: "tool_result", id: "find_slot_1", name: "find_slot", output: { slot: "ten" }, ok: true },
    ]);
  });

  it("refuses functions that it does not have", async () => {
    const { call } = openScript();
    for (const name of ["EXIT_9", "PRESS_KEYS", "delete_all"]) {
      expect(await call(name, { keys: "1" })).toMatchObject({ output: { ok: false }, next: null });
    }
  });

  it("presses keys where the agent knows phone menus", async () => {
    const { call } = openScript({ settings: { phoneMenu: "talk" } });
    expect(await call("PRESS_KEYS", { keys: "1 2#" })).toMatchObject({ next: { type: "press", keys: "12#" } });
  });

  it("never calls a callee again who asks for it, by the model or by the words themselves", async () => {
    const asked = openScript();
    expect(await asked.call("STOP_CALLING")).toMatchObject({ say: expect.stringContaining("won't call you again") });
    expect(asked.notes).toContainEqual({ type: "suppress" });
    const heard = openScript();
    expect(await heard.script.hear("I would like to come on Friday.")).toBeNull();
    expect(await heard.script.hear("Please never call me again.")).toMatchObject({ next: { type: "hang_up" } });
    expect(heard.notes).toContainEqual({ type: "suppress" });
  });

  it("ends by its own limit of turns", async () => {
    const { script } = openScript({ nodes: [{ ...TALK, turnsMax: 2 }, ...NODES.slice(1)] });
    expect(await script.hear("One.")).toBeNull();
    expect(await script.hear("Two.")).toBeNull();
    expect(await script.hear("Three.")).toMatchObject({ say: "Thank you, goodbye.", next: { type: "hang_up" } });
  });

  it("leaves the message of the flow on a voicemail", async () => {
    const nodes = [...NODES, { id: "mailbox", type: "voicemail", text: "Please call us, {{name}}." }];
    const { script } = openScript({ nodes });
    expect(await script.meetMachine("voicemail")).toEqual({
      say: "Please call us, Ada.",
      next: { type: "hang_up", reason: "voicemail_left" },
    });
  });

  it("is refused for a flow that is more than one conversation", () => {
    const nodes = [
      { id: "ask", type: "ask", text: "Well?", answer: "free_text", exits: [], next: "bye", otherwise: "bye" },
    ];
    expect(() => openScript({ nodes: [...nodes, ...NODES.slice(3)] })).toThrow("agents that are one conversation");
  });
});

describe("a callee who speaks another language", () => {
  const translated = () => openScript({ settings: { translations: [SPANISH] }, spoken: ["es-ES", "de"] });

  it("can be followed into those that the flow is translated to and the model speaks", () => {
    const { script } = translated();
    expect(script.language).toBe("en-US");
    expect(script.instructions).toContain(
      "If the callee speaks European Spanish, or asks for it, call CHANGE_LANGUAGE",
    );
    const tool = script.tools.find(({ name }) => name === "CHANGE_LANGUAGE");
    expect(JSON.stringify(tool?.inputSchema)).toContain("One of en-US, es-ES.");
    const unspoken = openScript({ settings: { translations: [SPANISH] } }).script;
    const untranslated = openScript({ spoken: ["es-ES"] }).script;
    for (const { tools, instructions } of [unspoken, untranslated]) {
      expect(tools.map(({ name }) => name)).not.toContain("CHANGE_LANGUAGE");
      expect(instructions).not.toContain("CHANGE_LANGUAGE");
    }
  });

  it("gets the disclosure, the texts of the flow and the phrases of the script in it", async () => {
    const { script, call, notes } = translated();
    const [english] = script.silencePrompts;
    const outcome = await call("CHANGE_LANGUAGE", { language: "es" });
    expect(outcome).toMatchObject({ output: { ok: true, language: "European Spanish" }, say: null, next: null });
    expect(outcome.mustHear).toMatch(/asistente/);
    expect(JSON.stringify(outcome.output)).toContain(outcome.mustHear);
    expect(script.language).toBe("es-ES");
    expect(script.instructions).toContain("Speak European Spanish");
    expect(script.instructions).toContain("If the callee speaks American English");
    expect(script.silencePrompts[0]).not.toBe(english);
    expect(notes.slice(2)).toEqual([
      { type: "language_noticed", language: "es" },
      { type: "decided", decision: expect.objectContaining({ result: "es-ES", evidence: "model" }) },
    ]);
    const end = await call("EXIT_1", { day: "2026-03-05", guests: 2 });
    expect(end.say).toMatch(/^Hasta el .*marzo.*Adiós\.$/);
  });

  it("is answered by the model, and not by a phrase of the flow", async () => {
    const { script } = translated();
    expect(await script.hear("Do you speak Spanish?")).toBeNull();
    expect(await script.hear("No le entiendo nada, señorita.")).toBeNull();
  });

  it("is followed back, and noticed only once", async () => {
    const { script, call, notes } = translated();
    await call("CHANGE_LANGUAGE", { language: "es-ES" });
    const back = await script.call({ id: "back", name: "CHANGE_LANGUAGE", input: { language: "en" } });
    expect(back).toMatchObject({ output: { ok: true, language: "American English" } });
    expect(back.mustHear).toBeUndefined();
    await script.call({ id: "again", name: "CHANGE_LANGUAGE", input: { language: "es-MX" } });
    expect(script.language).toBe("es-ES");
    expect(notes.filter(({ type }) => type === "language_noticed")).toHaveLength(1);
  });

  it("stays in the language of the call if the other one is not among them", async () => {
    const { script, call } = translated();
    for (const language of ["fr-FR", "en-GB", "", 3]) {
      const outcome = await call("CHANGE_LANGUAGE", { language });
      expect(outcome.output).toEqual({ ok: false, error: "the language must be one of en-US, es-ES" });
    }
    expect(script.language).toBe("en-US");
  });
});
