import { ask } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, startService } from "../harness/service-process.ts";
import { type CallPlan, type HeldCall, holdCalls } from "./held-calls.ts";

/** As many as a small machine conducts beside other work, while their callees run on the same processors. */
const AT_ONCE_MAX = 5;
export const UNWANTED = "+15550200026";
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

/** By what the callee does. The longest first, so that none of them runs alone in the end. */
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

type CallName = keyof ReturnType<typeof plansFor>;

export interface Conversations<Name extends CallName> {
  readonly caller: { readonly url: string; readonly key: string };
  readonly held: Readonly<Record<Name, HeldCall>>;
  close(): Promise<void>;
}

/** Holds these calls in real time, on a fresh installation with only its local models: no key, no network. */
export async function holdConversations<Name extends CallName>(names: readonly Name[]): Promise<Conversations<Name>> {
  const folder = await makeDataFolder();
  const service = await startService({
    dataDir: folder.path,
    env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_SPEECH_MODEL: "auto" },
  });
  const close = async () => {
    await service.end("SIGINT");
    await folder.remove();
  };
  try {
    const caller = { url: service.url, key: (await readFirstRun(service)).key };
    const plans = plansFor(await agentsByName(caller));
    const chosen = Object.entries(plans).filter(([name]) => (names as readonly string[]).includes(name));
    const held = await holdCalls(caller, Object.fromEntries(chosen) as Record<Name, CallPlan>, AT_ONCE_MAX);
    return { caller, held, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function agentsByName({ url, key }: { url: string; key: string }): Promise<Readonly<Record<string, string>>> {
  const made = await ask(url, "/api/v1/agents", {
    key,
    body: { name: "Asks for a number", language: "en-US", flow: ASKS_FOR_NUMBER },
  });
  await ask(url, `/api/v1/agents/${made.body.data.id}/publish`, { key, method: "POST" });
  const { body } = await ask(url, "/api/v1/agents?limit=100", { key });
  return Object.fromEntries(body.data.map(({ name, id }: { name: string; id: string }) => [name, id]));
}

/** All that the agent is known to have said. */
export const agentSaid = ({ speech }: HeldCall) =>
  speech.flatMap(({ role, heardText }) => (role === "agent" ? [heardText ?? ""] : [])).join(" ");

export const weekdayOf = (date: unknown) => new Date(String(date)).getUTCDay();
