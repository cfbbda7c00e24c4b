import type { SimulatedCalleeStep } from "../carrier.ts";
import type { CalleeProfile } from "./callee-profile.ts";
import { type CalleeMachine, runCallee } from "./callees/callee-machine.ts";
import {
  CORRECTS_ITSELF,
  DICTATES,
  PRESSES_KEYS,
  STOP_CALLING,
  WANTS_A_PERSON,
  WANTS_CHANGES,
  WANTS_OUT,
  WRONG_PERSON,
} from "./callees/goals.ts";
import { human } from "./callees/human.ts";
import type { HumanTraits } from "./callees/human-traits.ts";
import { fax, menu, screening, voicemail } from "./callees/machines.ts";

/** The background noise of a quiet room. */
const ROOM_DBFS = -62;
/** A street, or a car. */
const NOISY_DBFS = -38;

const FRIENDLY: HumanTraits = { greeting: "Hello?" };

/** How the numbers of the table behave and sound once they have answered. */
const PROFILES = {
  friendly: person({}),
  voicemail: machine(voicemail()),
  menu: machine(menu(human(FRIENDLY))),
  silent: { callee: () => runCallee(silent()), noiseDbfs: ROOM_DBFS, acceptsRefer: true },
  interrupting: person({
    interrupts: {
      afterMs: 1_500,
      lines: ["Sorry, who is this?", "Wait a moment, what is this about?", "Hold on, please say that again."],
    },
  }),
  hangsUpMidSentence: person({ hangsUpAfterMs: 1_500 }),
  noisyLine: { ...person({}), line: "lossy", noiseDbfs: NOISY_DBFS },
  noAudio: { callee: () => runCallee(silent()), line: "dead", noiseDbfs: null, acceptsRefer: true },
  slow: person({ isSlow: true }),
  // No noise, so that the echo is exactly what was sent.
  echo: { ...person({}), echo: { lagMs: 180, changeDb: -18 }, noiseDbfs: null },
  murmuring: person({ murmurs: { everyMs: 1_400, line: "Mhm." } }),
  holding: person({
    holds: { line: "One moment, please.", forMs: 20_000, backLine: "Hello, I am back. What was it about?" },
  }),
  screening: { ...machine(screening(human(FRIENDLY))), acceptsRefer: true },
  wantsChanges: person({ goals: WANTS_CHANGES }),
  wantsOut: person({ goals: WANTS_OUT }),
  hardOfHearing: person({ asksBack: ["What?", "Could you say that again, please?"] }),
  correctsItself: person({ goals: CORRECTS_ITSELF }),
  pressesKeys: person({ goals: PRESSES_KEYS }),
  dictates: person({ goals: DICTATES }),
  stopCalling: person({ goals: STOP_CALLING }),
  wrongPerson: person({ goals: WRONG_PERSON }),
  wantsAPerson: person({ goals: WANTS_A_PERSON }),
  fax: { ...machine(fax()), noiseDbfs: null },
} as const satisfies Record<string, CalleeProfile>;

function person(traits: Partial<HumanTraits>): CalleeProfile {
  return { callee: () => runCallee(human({ ...FRIENDLY, ...traits })), noiseDbfs: ROOM_DBFS, acceptsRefer: true };
}

function machine<State>(behaviour: CalleeMachine<State>): CalleeProfile {
  return { callee: () => runCallee(behaviour), noiseDbfs: ROOM_DBFS, acceptsRefer: false };
}

/** A person who answered and stays silent. */
export function silent(): CalleeMachine<null> {
  return { lines: [], begin: () => null, step: () => [null, []] };
}

/** What the phone at a simulated number does. Times of a phone that rings count from its first ring. */
export type CalleeBehaviour = AnsweringCallee | RefusingCallee | IgnoringCallee;

export interface AnsweringCallee {
  readonly does: "answers";
  readonly name: string;
  readonly answerAfterMs: number;
  /** What the callee does once it has answered. */
  readonly profile: CalleeProfile;
  /** What it does in a network without audio, where only time passes. After the last step it stays on the line. */
  readonly script: readonly SimulatedCalleeStep[];
}

interface RefusingCallee {
  readonly does: "refuses";
  readonly name: string;
  readonly rings: boolean;
  readonly refuseAfterMs: number;
  readonly code: number;
  readonly reason: string;
}

interface IgnoringCallee {
  readonly does: "ignores";
  readonly name: string;
}

/** From the dial to the first ring. Soon enough for a demonstration, late enough to be visible as a separate state. */
export const FIRST_RING_AFTER_MS = 300;
/** Shorter than a real ring (4 to 6 s), so that a demonstration call takes about eight seconds in all. */
const RING_MS = 1_500;
export const TWO_RINGS_MS = 2 * RING_MS;
const FOUR_RINGS_MS = 4 * RING_MS;
/** The network's ring timeout, like timer C of RFC 3261 section 16.6 after 3 minutes. */
export const RING_MAX_MS = 180_000;
/** The network ends a connection that both sides forgot. */
export const TALK_MAX_MS = 2 * 60 * 60 * 1_000;
/** How long the network needs to find out that it will not connect. */
const REFUSAL_MS = 700;

const POLITE_TALK_MS = 4_500;
const VOICEMAIL_GREETING_MS = 5_000;
const VOICEMAIL_RECORDING_MS = 25_000;
const IVR_MENU_MS = 20_000;
const INTERRUPTING_TALK_MS = 12_000;
const MID_SENTENCE_MS = 1_500;
const NOISY_TALK_MS = 12_000;
const SLOW_TALK_MS = 25_000;
const ECHO_TALK_MS = 10_000;
const MHM_TALK_MS = 12_000;
const HOLD_MUSIC_MS = 45_000;
const SCREENING_MS = 8_000;
const REQUESTS_TALK_MS = 12_000;
const FAX_HANDSHAKE_MS = 12_000;

/** The callee of a number that is not in the table. */
export const FRIENDLY_HUMAN: AnsweringCallee = talks("friendly human", PROFILES.friendly, POLITE_TALK_MS);

/** By the last four digits, so that any country code can be tried. */
export const CALLEE_BY_LAST_DIGITS: ReadonlyMap<string, CalleeBehaviour> = new Map<string, CalleeBehaviour>([
  ["0001", FRIENDLY_HUMAN],
  ["0002", refuses("busy", 486, "Busy Here")],
  ["0003", { does: "ignores", name: "no answer" }],
  ["0004", { ...refuses("declined", 603, "Decline"), rings: true, refuseAfterMs: RING_MS }],
  ["0005", refuses("invalid number", 404, "Not Found")],
  ["0006", refuses("network failure", 503, "Service Unavailable")],
  [
    "0007",
    {
      does: "answers",
      name: "voicemail",
      profile: PROFILES.voicemail,
      answerAfterMs: FOUR_RINGS_MS,
      script: [{ waitMs: VOICEMAIL_GREETING_MS }, { waitMs: VOICEMAIL_RECORDING_MS }, { hangUp: true }],
    },
  ],
  ["0008", { ...talks("IVR menu", PROFILES.menu, IVR_MENU_MS), answerAfterMs: RING_MS }],
  ["0009", staysOnTheLine("silent human", PROFILES.silent)],
  ["0010", talks("interrupting human", PROFILES.interrupting, INTERRUPTING_TALK_MS)],
  ["0011", talks("hangs up mid-sentence", PROFILES.hangsUpMidSentence, MID_SENTENCE_MS)],
  ["0012", talks("noisy line", PROFILES.noisyLine, NOISY_TALK_MS)],
  ["0013", staysOnTheLine("no audio", PROFILES.noAudio)],
  ["0014", talks("slow speaker", PROFILES.slow, SLOW_TALK_MS)],
  ["0015", talks("echo", PROFILES.echo, ECHO_TALK_MS)],
  ["0016", talks("says mhm", PROFILES.murmuring, MHM_TALK_MS)],
  ["0017", talks("puts on hold", PROFILES.holding, HOLD_MUSIC_MS)],
  ["0018", { ...talks("call screening", PROFILES.screening, SCREENING_MS), answerAfterMs: RING_MS }],
  ["0019", { ...talks("fax", PROFILES.fax, FAX_HANDSHAKE_MS), answerAfterMs: RING_MS }],
  ["0020", talks("wants changes", PROFILES.wantsChanges, REQUESTS_TALK_MS)],
  ["0021", talks("wants out", PROFILES.wantsOut, REQUESTS_TALK_MS)],
  ["0022", talks("hard of hearing", PROFILES.hardOfHearing, REQUESTS_TALK_MS)],
  ["0023", talks("corrects itself", PROFILES.correctsItself, REQUESTS_TALK_MS)],
  ["0024", talks("presses keys", PROFILES.pressesKeys, REQUESTS_TALK_MS)],
  ["0025", talks("dictates a number", PROFILES.dictates, REQUESTS_TALK_MS)],
  ["0026", talks("wants no calls", PROFILES.stopCalling, REQUESTS_TALK_MS)],
  ["0027", talks("wrong person", PROFILES.wrongPerson, REQUESTS_TALK_MS)],
  ["0028", talks("wants a person", PROFILES.wantsAPerson, REQUESTS_TALK_MS)],
]);

function talks(name: string, profile: CalleeProfile, talkMs: number): AnsweringCallee {
  const script: AnsweringCallee["script"] = [{ waitMs: talkMs }, { hangUp: true }];
  return { does: "answers", name, answerAfterMs: TWO_RINGS_MS, profile, script };
}

function staysOnTheLine(name: string, profile: CalleeProfile): AnsweringCallee {
  return { does: "answers", name, answerAfterMs: TWO_RINGS_MS, profile, script: [] };
}

function refuses(name: string, code: number, reason: string): RefusingCallee {
  return { does: "refuses", name, rings: false, refuseAfterMs: REFUSAL_MS, code, reason };
}
