import { Flow, type FlowNode } from "@parley/contract/flow";
import { SHIPPED_SAMPLES } from "@parley/server/agents/shipped-samples";
import { openFlowRig, type RigOptions } from "@parley/voice/conversation/testing/flow-rig";
import type { CalleeTurn, Decision, ReplyPart } from "@parley/voice/ports/brain";
import type { Heard } from "./hear-phrasings.ts";
import type { Expected, Phrasing, PhrasingSet, Question } from "./phrasing-set.ts";

/** What the agent did with one phrasing. */
export interface Understood {
  readonly phrasing: Phrasing;
  /** What kind of answer its question expects. */
  readonly answerKind: OpenQuestion["node"]["answer"];
  readonly verdict: "right" | "asked_back" | "asked_again" | "wrong";
  readonly decision: Decision | null;
  readonly reply: string;
  /** From the words to the decision. */
  readonly ms: number;
  /** The same in processor time of all threads: what one free core takes at most, however busy the machine is. */
  readonly cpuMs: number;
}

/** The inputs of the calls to the sample agents. Today is Monday, March 2, 2026, nine in the morning, in New York. */
const VARIABLES: Readonly<Record<string, string>> = {
  first_name: "Ada",
  full_name: "Ada Lovelace",
  from_whom: "from Green Street",
  appointment_time: "on Tuesday, March tenth at ten",
  delivery_time: "tomorrow between ten and twelve",
  amount: "of eighty dollars",
  due_date: "on March first",
  subject: "about your visit",
};
/** What the sample agents say before these questions. */
const SAID_BEFORE: Readonly<Record<string, string>> = {
  "appointment_confirmation/decision":
    "Hello Ada. This is an automated call from Green Street Dental about your appointment on Tuesday, March tenth at ten.",
  "delivery_notice/someone_home":
    "Hello, this is an automated call from Blue Parcel. Your parcel arrives tomorrow between ten and twelve.",
  "payment_reminder/intention": "This is a friendly reminder that a payment of eighty dollars was due on March first.",
};
const COLLECTED = { new_date: "2026-03-12", new_time: "15:00" };
const NOW_MS = Date.UTC(2026, 2, 2, 14);

export type Opinions = Pick<RigOptions, "judge" | "ranker" | "models">;

/**
 * Says every phrasing to an agent whose question is open, each in a conversation of its own: as it is written, or as it was
 * heard.
 */
export async function understandPhrasings(
  set: PhrasingSet,
  options: Opinions,
  heard?: ReadonlyMap<Phrasing, Heard>,
): Promise<Understood[]> {
  const results: Understood[] = [];
  for (const phrasing of set.phrasings) {
    const said = heard?.get(phrasing) ?? { text: phrasing.say, best: null };
    results.push(await understandOne(phrasing, said, questionAt(set, phrasing), options));
  }
  return results;
}

/** What the question of a phrasing expects to hear. */
export function expectedAt(set: PhrasingSet, phrasing: Phrasing): readonly string[] {
  return openAt(phrasing, questionAt(set, phrasing), { judge: null, ranker: null, models: [] }).brain.expectation
    .answers;
}

export function questionAt(set: PhrasingSet, { question }: Phrasing): OpenQuestion {
  const opened = openQuestion(set, question);
  if (opened === null) throw new Error(`no agent asks ${question}`);
  return opened;
}

export interface OpenQuestion {
  /** Default: English. */
  readonly language?: string;
  readonly flow: Flow;
  readonly node: Extract<FlowNode, { type: "ask" }>;
}

export function openQuestion(set: PhrasingSet, path: string): OpenQuestion | null {
  const [agentId = "", nodeId = ""] = path.split("/");
  const sample = SHIPPED_SAMPLES.find(({ id }) => id === agentId);
  if (sample !== undefined) {
    const node = sample.flow.nodes.find(({ id }) => id === nodeId);
    return node?.type === "ask" ? { flow: sample.flow, node } : null;
  }
  const question = set.questions.get(path);
  return question === undefined ? null : flowOf(question);
}

/** A flow that asks one question. */
function flowOf({ id, before, text, answer, exits, range, language }: Question): OpenQuestion {
  const flow = Flow.parse({
    schemaVersion: 1,
    settings: { retries: { max: 2 } },
    nodes: [
      { id: "beginning_of_call", type: "start", next: id },
      {
        id,
        type: "ask",
        text: before === "" ? text : `${before} ${text}`,
        answer,
        saveAs: "answer",
        ...(range === undefined ? {} : { range }),
        exits: exits.map((exit) => ({ ...exit, next: "end_of_call" })),
        next: "end_of_call",
        otherwise: "end_of_call",
      },
      { id: "end_of_call", type: "end", text: "Goodbye." },
    ],
  });
  const node = flow.nodes[1];
  if (node?.type !== "ask") throw new Error("a question is expected");
  return { flow, node, language };
}

/** The inputs of a call to this question, and what was said just before. */
export function factsFor(path: string, { flow, node }: OpenQuestion) {
  return {
    variables: Object.fromEntries(flow.variables.map((name) => [name, VARIABLES[name] ?? ""])),
    call: {
      id: "call_1",
      phoneNumber: "+12125550100",
      from: null,
      mode: "test",
      isRecorded: false,
      startedAtMs: NOW_MS,
      timeZone: "America/New_York",
    },
    said: `${SAID_BEFORE[path] ?? ""} ${node.text}`.trim(),
  } as const;
}

function openAt(phrasing: Phrasing, { flow, node, language = "en-US" }: OpenQuestion, options: Opinions) {
  const { said, ...facts } = factsFor(phrasing.question, { flow, node });
  return openFlowRig(flow, { ...options, ...facts, language, openAt: { nodeId: node.id, collected: COLLECTED, said } });
}

async function understandOne(
  phrasing: Phrasing,
  heard: Heard,
  opened: OpenQuestion,
  options: Opinions,
): Promise<Understood> {
  const { node } = opened;
  const { brain, faults } = openAt(phrasing, opened, options);
  const parts: ReplyPart[] = [];
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  const turn: CalleeTurn = heard.text === "" ? { type: "unclear" } : { type: "said", ...heard };
  for await (const part of brain.reply(2, turn, new AbortController().signal)) parts.push(part);
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(startedCpu);
  if (faults.length > 0) throw faults[0];
  const decision =
    parts
      .flatMap((part) => (part.type === "decided" ? [part.decision] : []))
      // What was said with the answer may fill later questions, which decide for themselves.
      .findLast(({ nodeId }) => nodeId === node.id) ?? null;
  const reply = parts.flatMap((part) => (part.type === "say" ? [part.text] : [])).join(" ");
  const verdict = judge(phrasing, node, decision, parts);
  return { phrasing, answerKind: node.answer, verdict, decision, reply, ms, cpuMs: (user + system) / 1_000 };
}

function judge(
  { expect: expected, accept = [] }: Phrasing,
  node: OpenQuestion["node"],
  decision: Decision | null,
  parts: readonly ReplyPart[],
): Understood["verdict"] {
  const readings = [expected, ...accept];
  const taken = decision?.taken ?? "not_understood";
  const isFinal = parts.some(({ type }) => type === "end" || type === "suppress");
  switch (taken) {
    case "answer":
      return readings.some((each) => isSame(each, decision?.result ?? null, node)) ? "right" : "wrong";
    case "ask_back": {
      // If the flow reads every answer back, reading it back is right.
      const isReadBack =
        node.confirm !== undefined && readings.some((each) => isSame(each, decision?.result ?? null, node));
      return isReadBack || readings.some((each) => "none" in each) ? "right" : "asked_back";
    }
    case "request":
    case "jump": {
      // A different request than the one meant is a mistake only if it ends the call or suppresses the number.
      const requests = readings.flatMap((each) => ("request" in each ? [each.request] : []));
      const isMeant =
        taken === "request" ? requests.includes(String(decision?.result)) : mayEndTheCall(requests, parts);
      if (requests.length > 0 && (isMeant || !isFinal)) return "right";
      if (isFinal) return "wrong";
      return readings.some((each) => "none" in each) ? "right" : "asked_again";
    }
    case "not_understood":
      return readings.some((each) => "none" in each) ? "right" : "asked_again";
  }
}

/** A flow's own node for a request is not named after it: what it does to the call must fit one that was meant. */
function mayEndTheCall(requests: readonly string[], parts: readonly ReplyPart[]): boolean {
  const isSuppressed = parts.some(({ type }) => type === "suppress");
  return requests.some((each) => (isSuppressed ? SUPPRESSING : ENDING).has(each));
}

const SUPPRESSING: ReadonlySet<string> = new Set(["stop_calling", "deceased"]);
const ENDING: ReadonlySet<string> = new Set([
  ...SUPPRESSING,
  ...["wrong_number", "not_person", "child", "driving", "call_later", "goodbye", "human"],
]);

function isSame(expected: Expected, value: Decision["result"], node: OpenQuestion["node"]): boolean {
  if (!("answer" in expected)) return false;
  if (expected.answer === value) return true;
  const plain = (each: unknown) =>
    String(each)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}:+-]+/gu, " ")
      .trim();
  // Free text is kept as it was said.
  return node.answer === "free_text" || plain(expected.answer) === plain(value);
}
