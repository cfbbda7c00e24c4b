import type { Flow } from "@parley/contract/flow";
import { spoken } from "./callee-clips.ts";
import type { ActPurpose, CalleeAct, CalleePlan } from "./callee-script.ts";

interface Choice {
  readonly question: string;
  readonly answers: readonly string[];
  readonly humans: readonly string[];
}

/** What callees say for which purpose. Human clips are named after their files. */
const YES_NO = ["Yes.", "No.", "Yes, please.", "No, thank you."];
/** Each is asked for only once in a call: a known answer is confirmed and not asked for again. */
const CHOICES: readonly Choice[] = [
  {
    question: "Which day suits you best?",
    answers: ["Monday", "Wednesday", "Friday"],
    humans: ["digits/day-1", "digits/day-3", "digits/day-5"],
  },
  {
    question: "How many guests do you expect?",
    answers: ["Two", "Four", "Six"],
    humans: ["digits/2", "digits/4", "digits/6"],
  },
  { question: "Which color do you prefer?", answers: ["Red", "Green", "Yellow"], humans: [] },
];
const FREE = [
  "I would like to know when the parcel will arrive.",
  "The room was very clean and quiet.",
  "We are in the garden with the children.",
  "We have changed our plans for the summer.",
];
const BACK_CHANNELS = ["Okay.", "Yeah.", "Right.", "I see.", "Sure."];
const INTERRUPTIONS = [
  "I already know all about that.",
  "Can we talk about something else?",
  "No, that is not what I meant.",
  "Actually I wanted to ask for Thursday.",
];
const STOP_WORDS = ["Stop.", "Wait a second.", "Hold on."];
const FILLER = "That is fine with me.";
export const SPOKEN_TEXTS = [
  ...YES_NO,
  ...CHOICES.flatMap(({ answers }) => answers.map((answer) => `${answer}.`)),
  ...FREE,
  ...BACK_CHANNELS,
  ...INTERRUPTIONS,
  ...STOP_WORDS,
  FILLER,
] as const;

/** Nothing that ends a call, as a wish to be called later would. */
const HUMAN_FREE = ["conf-onlyperson", "conf-waitforleader", "vm-msgsaved", "feature-not-avail-line"];
const HUMAN_BACK_CHANNELS = ["auth-thankyou"];
const HUMAN_INTERRUPTIONS = ["check-number-dial-again", "vm-sorry"];
const HUMAN_STOP_WORDS = ["one-moment-please"];
export const HUMAN_CLIPS = [
  ...CHOICES.flatMap(({ humans }) => humans),
  ...HUMAN_FREE,
  ...HUMAN_BACK_CHANNELS,
  ...HUMAN_INTERRUPTIONS,
  ...HUMAN_STOP_WORDS,
] as const;

/** Long enough to be spoken over twice. */
const LONG_QUESTION =
  "Before we go on let me tell you about our opening hours during the coming holidays and about the new entrance " +
  "behind the building. What do you think?";

/** How much is said in each call. */
export interface SceneSize {
  readonly expectedTurns: number;
  readonly freeTurns: number;
  /** Each is listening feedback followed by an interruption. */
  readonly overRounds: number;
}

/** The fewer calls there are, the more must be said in each of them for significant results. */
export function sceneSizeOf(calls: number): SceneSize {
  if (calls === 1) return { expectedTurns: 6, freeTurns: 4, overRounds: 4 };
  return { expectedTurns: 4, freeTurns: 3, overRounds: calls > 10 ? 2 : 3 };
}

/** Every second question with an expected answer is a choice. */
function choiceAt(turn: number): Choice {
  return CHOICES[(turn >> 1) % CHOICES.length] as Choice;
}

/** Longer than the agent pauses between two sentences. */
const ANSWER_AFTER_MS = 700;

/** A flow that asks for expected answers, for free ones which it repeats, and then at length. */
export function turnFlow({ expectedTurns, freeTurns, overRounds }: SceneSize): Flow {
  const ids = [
    ...Array.from({ length: expectedTurns }, (_, index) => `expected${index}`),
    ...Array.from({ length: freeTurns }, (_, index) => `free${index}`),
    ...Array.from({ length: 4 * overRounds }, (_, index) => `long${index}`),
  ];
  const after = (id: string) => ids[ids.indexOf(id) + 1] ?? "end";
  const nodes = ids.map((id, index): Flow["nodes"][number] => {
    const base = { id, type: "ask", otherwise: after(id), retries: { max: 0 } } as const;
    if (id.startsWith("long")) return { ...base, text: LONG_QUESTION, answer: "free_text", exits: [] };
    if (id.startsWith("free")) {
      // Its first words are the callee's own, so that they cannot be rendered ahead.
      const before = index === expectedTurns ? "Thank you." : `I understood {{free${index - expectedTurns - 1}}}`;
      return { ...base, text: `${before} What else is there?`, answer: "free_text", saveAs: id, exits: [] };
    }
    if (index % 2 === 0) return { ...base, text: "Would you like to go on now?", answer: "yes_no", exits: [] };
    const { question, answers } = choiceAt(index);
    return { ...base, text: question, answer: "choice", exits: answers.map((when) => ({ when, next: after(id) })) };
  });
  return {
    schemaVersion: 1,
    variables: [],
    settings: { greeting: "immediate", disclosure: null, voicemail: "continue" },
    nodes: [
      { id: "start", type: "start", next: "hello" },
      { id: "hello", type: "say", text: "Hello, this is a test call.", next: ids[0] ?? "end" },
      ...nodes,
      { id: "end", type: "end", text: "Goodbye." },
    ],
  };
}

export interface CalleeKind {
  /** Whether sentences of a human lie ready. */
  readonly hasHumans: boolean;
  /** Whether the line sends the agent's voice back. */
  readonly echoes: boolean;
}

/** On a line with echo, callees wait out the agent's pauses, so that any cut was not caused by them. */
const ECHO_WAIT_MS = 600;

/** One callee of many: which of the sentences it says, and in whose voice, follows from its number. */
export function calleePlan(index: number, size: SceneSize, { hasHumans, echoes }: CalleeKind): CalleePlan {
  const { expectedTurns, freeTurns, overRounds } = size;
  const answerAfterMs = ANSWER_AFTER_MS + (echoes ? ECHO_WAIT_MS : 0);
  const pick = (texts: readonly string[], humans: readonly string[], turn: number): string => {
    const at = index * 7 + turn;
    const isHuman = hasHumans && humans.length > 0 && at % 3 === 2;
    return isHuman ? (humans[at % humans.length] ?? "") : spoken(texts[at % texts.length] ?? "", index + (turn >> 1));
  };
  const act = (type: CalleeAct["type"], purpose: ActPurpose, clipName: string, afterMs: number): CalleeAct => ({
    type,
    purpose,
    clipName,
    afterMs,
  });
  const acts: CalleeAct[] = [];
  for (let turn = 0; turn < expectedTurns; turn++) {
    const { answers, humans } = choiceAt(turn);
    const words = answers.map((answer) => `${answer}.`);
    const clip = turn % 2 === 0 ? pick(YES_NO, [], turn) : pick(words, humans, turn);
    acts.push(act("answer", "expected", clip, answerAfterMs + ((index * 3 + turn * 5) % 10) * 40));
  }
  for (let turn = 0; turn < freeTurns; turn++) {
    const afterMs = answerAfterMs + ((index * 5 + turn * 3) % 10) * 40;
    // After the last of them a question follows that could be rendered ahead.
    const purpose = turn < freeTurns - 1 ? "free" : "filler";
    acts.push(act("answer", purpose, pick(FREE, HUMAN_FREE, turn), afterMs));
  }
  // The first long question is heard to its end, as a reference.
  acts.push(act("answer", "filler", spoken(FILLER, index), answerAfterMs));
  for (let round = 0; round < overRounds; round++) {
    const earlyMs = 1_200 + ((index * 7 + round * 11) % 10) * 100;
    acts.push(act("over", "back_channel", pick(BACK_CHANNELS, HUMAN_BACK_CHANNELS, round), earlyMs));
    const lateMs = 1_600 + ((index * 3 + round * 7) % 10) * 60;
    if (round % 2 === 0) {
      acts.push(act("over", "interruption", pick(INTERRUPTIONS, HUMAN_INTERRUPTIONS, round), lateMs));
    } else {
      acts.push(act("over", "stop_word", pick(STOP_WORDS, HUMAN_STOP_WORDS, round), lateMs));
      acts.push(act("answer", "filler", spoken(FILLER, index), 1_500));
    }
  }
  const echo = echoes ? { delayMs: 180, lossDb: 18 } : null;
  return { acts, fillerClip: spoken(FILLER, index), echo, beginsAfterMs: 500 };
}

/** A callee who is not measured: short answers and long ones. */
export function warmUpPlan(hasHumans: boolean): CalleePlan {
  return calleePlan(0, { expectedTurns: 2, freeTurns: 2, overRounds: 0 }, { hasHumans, echoes: false });
}
