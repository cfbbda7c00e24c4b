import { Flow } from "@parley/contract/flow";
import { describe, expect, test } from "vitest";
import { APPOINTMENT_CONFIRMATION } from "../../agents/samples/appointment-confirmation.ts";
import { DELIVERY_NOTICE } from "../../agents/samples/delivery-notice.ts";
import { PAYMENT_REMINDER } from "../../agents/samples/payment-reminder.ts";
import { SATISFACTION_SURVEY } from "../../agents/samples/satisfaction-survey.ts";
import { holdSimulatedCall, type SimulatedCallOptions } from "./testing/hold-simulated-call.ts";

// Each of these is also held in real time, with real speech, in e2e/voice: the shorter part by npm test, all of them by npm run test:all.

const VARIABLES = { first_name: "Ada", from_whom: "from Green Street Dental", appointment_time: "on Tuesday at ten" };
const FRIDAY = "2026-03-06";
const THURSDAY = "2026-03-05";

const call = (flow: Flow, lastDigits: string, more: Partial<SimulatedCallOptions> = {}) =>
  holdSimulatedCall({ flow, phoneNumber: `+1555010${lastDigits}`, ...more });
const appointment = (lastDigits: string, more: Partial<SimulatedCallOptions> = {}) =>
  call(APPOINTMENT_CONFIRMATION.flow, lastDigits, { variables: VARIABLES, ...more });

describe("an appointment", () => {
  test.each([
    ["a friendly person", "0001", { outcome: "confirmed" }],
    ["someone who wants another day", "0020", { outcome: "moved", new_date: FRIDAY, new_time: "10:00" }],
    ["someone who wants to cancel, and is asked whether that is so", "0021", { outcome: "canceled" }],
    ["someone who first asks what was said", "0022", { outcome: "confirmed" }],
    ["someone who corrects themselves", "0023", { outcome: "moved", new_date: THURSDAY }],
    ["someone else who has the number", "0027", { outcome: "wrong_number" }],
  ])("reaches the right end with %s", async (_, lastDigits, collected) => {
    const held = await appointment(lastDigits);
    expect(held, held.lines).toMatchObject({ reason: "agent_hangup", answeredBy: "human", collected, failures: [] });
  });

  test("is handed over to a person when the callee wants one, where there is one", async () => {
    const held = await appointment("0028", { variables: { ...VARIABLES, desk_number: "+15550100001" } });
    expect(held, held.lines).toMatchObject({ reason: "transferred", failures: [] });
  });

  test("is not mentioned again to a callee who wants no calls, and the number is suppressed", async () => {
    const held = await appointment("0026");
    expect(held, held.lines).toMatchObject({ reason: "agent_hangup", failures: [] });
    expect(held.entries).toContainEqual({ type: "suppress" });
  });
});

test.each([
  ["takes the delivery", DELIVERY_NOTICE, "0001", { outcome: "as_planned" }],
  ["moves the delivery", DELIVERY_NOTICE, "0020", { outcome: "on_another_day", delivery_date: FRIDAY }],
  ["needs more time to pay", PAYMENT_REMINDER, "0020", { outcome: "requested" }],
  ["has paid", PAYMENT_REMINDER, "0021", { outcome: "paid" }],
  [
    "gives a bad rating",
    SATISFACTION_SURVEY,
    "0020",
    { outcome: "answered", rating: 2, reason: "It took rather long." },
  ],
  ["presses the rating", SATISFACTION_SURVEY, "0024", { outcome: "answered", rating: 4 }],
])("the agent reaches the right end with a callee who %s", async (_, { flow }, lastDigits, collected) => {
  const held = await call(flow, lastDigits);
  expect(held, held.lines).toMatchObject({ reason: "agent_hangup", answeredBy: "human", collected, failures: [] });
});

test("a phone number spoken in groups, with pauses, is collected whole", async () => {
  const question = { text: "Hello, this is an automated call. What is your phone number?", answer: "phone" };
  const flow = Flow.parse({
    schemaVersion: 1,
    nodes: [
      { id: "start", type: "start", next: "number" },
      {
        id: "number",
        type: "ask",
        ...question,
        saveAs: "number",
        exits: [],
        next: "bye",
        otherwise: "bye",
        retries: { max: 2 },
        patience: "patient",
      },
      { id: "bye", type: "end", text: "Thank you. Goodbye." },
    ],
  });
  const held = await call(flow, "0025");
  expect(held, held.lines).toMatchObject({ reason: "agent_hangup", collected: { number: "5550100123" } });
});

describe("people on all kinds of lines", () => {
  test.each([
    ["interrupts", "0010"],
    ["speaks slowly", "0014"],
    ["echoes", "0015"],
    ["hums while it listens", "0016"],
    ["puts the agent on hold", "0017"],
  ])("are talked to until they have answered: a callee who %s", async (_, lastDigits) => {
    const held = await appointment(lastDigits);
    expect(held, held.lines).toMatchObject({
      reason: "agent_hangup",
      answeredBy: "human",
      collected: { outcome: "confirmed" },
      failures: [],
    });
  });

  test("a callee who echoes does not interrupt the agent with its own voice", async () => {
    const { agent, lines } = await appointment("0015");
    expect(
      agent.filter(({ wasInterrupted }) => wasInterrupted),
      lines,
    ).toEqual([]);
  });

  test("music is waited out", async () => {
    const { entries, lines } = await appointment("0017");
    const notes = entries.flatMap((entry) => (entry.type === "note" ? [entry.text] : []));
    expect(notes, lines).toEqual(expect.arrayContaining(["hold music", "hold music over"]));
  });

  test("a callee who says nothing is asked once, and then hung up on", async () => {
    const held = await appointment("0009");
    expect(held, held.lines).toMatchObject({ reason: "silence", end: { by: "us" } });
    expect(held.heardByCallee).toContain("Are you still there?");
  });

  test("the transcript of a callee who hangs up midway contains no more than was heard", async () => {
    const held = await appointment("0011");
    expect(held, held.lines).toMatchObject({ reason: "callee_hangup", end: { by: "callee" } });
    const [greeting] = held.agent;
    expect(greeting?.heardText.length).toBeLessThan(greeting?.text.length ?? 0);
  });
});

describe("machines", () => {
  test("a voicemail gets the message that the call brought, after its tone", async () => {
    const message = "Please call {{first_name}} back.";
    const held = await appointment("0007", { voicemail: { action: "leave_message", message } });
    expect(held, held.lines).toMatchObject({ reason: "voicemail_left", answeredBy: "voicemail", end: { by: "us" } });
    expect(held.agent.at(-1)?.heardText).toBe("Please call Ada back.");
  });

  test("the agent gets past a phone menu and talks to the person behind it", async () => {
    const held = await appointment("0008");
    expect(held.entries, held.lines).toContainEqual(expect.objectContaining({ type: "dtmf", by: "agent", key: "0" }));
    expect(held.collected, held.lines).toMatchObject({ outcome: "confirmed" });
  });

  test("the agent introduces itself to a screening service and talks to the person behind it", async () => {
    const held = await appointment("0018");
    expect(held.heardByCallee, held.lines).toContain("automated call from Green Street Dental");
    expect(held.collected, held.lines).toMatchObject({ outcome: "confirmed" });
  });

  test("a fax is hung up on", async () => {
    const held = await appointment("0019");
    expect(held, held.lines).toMatchObject({ reason: "fax", answeredBy: "fax", end: { by: "us" } });
  });
});
