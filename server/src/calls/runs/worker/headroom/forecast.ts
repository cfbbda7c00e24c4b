/** The parts of the service that every conversation depends on, in the order in which they are reported. */
export const STAGES = [
  "recognition",
  "speech_detection",
  "media",
  "conversation",
  "voice",
  "worker",
  "database",
] as const;
export type Stage = (typeof STAGES)[number];

/** How late each stage has been lately. A stage without a measurement is absent. */
type Lateness = { readonly [Each in Stage]?: number };

/**
 * The lateness at which no more calls are started. Live calls stay well within what a callee notices: an agent that hears
 * an answer half a second late is slow, not deaf.
 */
const LATE_MAX_MS: Readonly<Record<Stage, number>> = {
  recognition: 500,
  speech_detection: 150,
  media: 60,
  conversation: 150,
  voice: 1_500,
  worker: 300,
  database: 1_000,
};
/** A machine without calls is given one even when something is somewhat late: only a call shows whether it can be held. */
const HOPELESS = 4;
/** The rest is for moments in which many callees speak at once. */
const RECOGNITION_LOAD_MAX = 0.6;
/** How many calls a core is given before anything is known about them; a quiet core holds about ten. */
const FIRST_CALLS_PER_CORE = 3;
/** The share by which the calls may grow while the latest ones cannot be measured yet. */
const GROWTH = 0.25;
/** Calls at most double before they are measured again, however idle the cores are. */
const GROWTH_ON_IDLE_CORES = 1;
/** The share of the cores that calls may be expected to keep busy. The rest is for the moments in which many callees speak at once. */
const BUSY_MAX = 0.65;
/** A stage that is late by more than this share of its limit does not allow fast growth. */
const ALMOST_LATE = 1 / 3;

export interface HeadroomFacts {
  /** Calls that this worker conducts or has claimed. */
  readonly held: number;
  /** Those of them that were started so recently that the measurements do not include them. */
  readonly settling: number;
  readonly slotsMax: number;
  /** The cores that this worker may count on. */
  readonly cores: number;
  /** Null before speech recognition was measured. */
  readonly recognition: {
    readonly processes: number;
    /** How many seconds one process works for a call in a second. */
    readonly workPerCall: number;
  } | null;
  /** What the natural voices carry. Null where there are none, or before their speed is known. */
  readonly naturalVoices: NaturalVoiceFacts | null;
  readonly lateMs: Lateness;
  /** The share of the machine's cores that was busy lately, whatever kept them busy. Null before it was measured. */
  readonly busy: number | null;
  /** The number of calls at which something was late before; infinite if nothing ever was. */
  readonly ceiling: number;
}

export interface NaturalVoiceFacts {
  /** How many calls they carry at once; 0 where they are slower than they are played. */
  readonly callsMax: number;
  /** The conversations that are held with them. */
  readonly natural: number;
  /** Those that are held with other voices, which need nothing of them. */
  readonly other: number;
}

/** Why no more calls are started. */
export type HeadroomLimit =
  /** The setting is reached. */
  | { readonly because: "slots" }
  | { readonly because: "late"; readonly stage: Stage; readonly lateMs: number }
  /** One more call would be too much for the recognizers. */
  | { readonly because: "recognition_load" }
  /** One more call would be too much for the natural voices. */
  | { readonly because: "natural_voices" }
  /** With more calls, this stage was late a short time ago. */
  | { readonly because: "was_late" }
  /** Calls are started gradually, so that the latest ones can be measured. */
  | { readonly because: "settling" };

export interface Headroom {
  /** How many more calls may be started now. */
  readonly callsMore: number;
  /** How many calls this worker holds at once, by the forecast of this moment. */
  readonly callsMax: number;
  /** Null while more calls may be started. */
  readonly limit: HeadroomLimit | null;
}

/** Whether the service keeps up with one more call, and with how many. */
export function forecastHeadroom(facts: HeadroomFacts): Headroom {
  const { held, settling, slotsMax, lateMs, ceiling } = facts;
  const recognizable = recognizableCalls(facts.recognition);
  const speakable = speakableCalls(facts.naturalVoices);
  const callsMax = Math.min(slotsMax, recognizable, speakable, Math.max(1, Math.floor(ceiling)));
  const late = findLate(lateMs, held === 0 ? HOPELESS : 1);
  if (late !== null) return { callsMore: 0, callsMax: Math.min(callsMax, held), limit: { because: "late", ...late } };
  if (held >= callsMax) return { callsMore: 0, callsMax, limit: limitOf(facts, recognizable, speakable) };
  const settlingMax = Math.max(FIRST_CALLS_PER_CORE * facts.cores, Math.ceil((held - settling) * growth(facts)));
  const isDoubtful = held === 0 && findLate(lateMs, 1) !== null;
  const callsMore = isDoubtful ? 1 : Math.min(callsMax - held, settlingMax - settling);
  if (callsMore <= 0) return { callsMore: 0, callsMax, limit: { because: "settling" } };
  return { callsMore, callsMax, limit: null };
}

/**
 * Twice the calls keep about twice as many cores busy. Where these are there and nothing was ever late, a large machine is filled in
 * half a minute instead of several.
 */
function growth({ busy, lateMs, ceiling }: HeadroomFacts): number {
  if (busy === null || Number.isFinite(ceiling) || findLate(lateMs, ALMOST_LATE) !== null) return GROWTH;
  const affordable = busy === 0 ? Number.POSITIVE_INFINITY : BUSY_MAX / busy - 1;
  return Math.max(GROWTH, Math.min(GROWTH_ON_IDLE_CORES, affordable));
}

/** One call is held even on a slow machine, as long as recognition keeps up with one callee. */
function recognizableCalls(recognition: HeadroomFacts["recognition"]): number {
  if (recognition === null || recognition.workPerCall <= 0) return Number.POSITIVE_INFINITY;
  const { processes, workPerCall } = recognition;
  const calls = Math.floor((RECOGNITION_LOAD_MAX * processes) / workPerCall);
  return calls === 0 && workPerCall <= processes ? 1 : calls;
}

/**
 * Which voice a waiting call needs is not known before it is claimed, so it is taken to be a natural one. A machine that
 * cannot speak naturally at all holds its calls with light voices.
 */
function speakableCalls(voices: NaturalVoiceFacts | null): number {
  if (voices === null) return Number.POSITIVE_INFINITY;
  const { callsMax, natural, other } = voices;
  if (callsMax > 0) return callsMax + other;
  return natural === 0 ? Number.POSITIVE_INFINITY : natural + other;
}

function limitOf({ held, slotsMax }: HeadroomFacts, recognizable: number, speakable: number): HeadroomLimit {
  if (held >= slotsMax) return { because: "slots" };
  if (held >= recognizable) return { because: "recognition_load" };
  return { because: held >= speakable ? "natural_voices" : "was_late" };
}

function findLate(lateMs: Lateness, tolerance: number): { stage: Stage; lateMs: number } | null {
  for (const stage of STAGES) {
    const late = lateMs[stage];
    if (late !== undefined && late > tolerance * LATE_MAX_MS[stage]) return { stage, lateMs: late };
  }
  return null;
}

/** How many calls are held is reduced to this share when something is late. */
const BACK_OFF = 0.85;
/** How long one call more is not tried, or a hundredth more where that is more. */
const RECOVER_MS_PER_CALL = 10_000;
const RECOVER_SHARE_PER_MS = 0.01 / 1_000;

/**
 * The next ceiling: below the calls at which something was late, and slowly up again while nothing is. Without it, calls
 * would be started again as soon as the lateness they had caused is over.
 */
export function nextCeiling(
  ceiling: number,
  { held, settling, slotsMax, lateMs }: Pick<HeadroomFacts, "held" | "settling" | "slotsMax" | "lateMs">,
  elapsedMs: number,
): number {
  if (held > 1 && findLate(lateMs, 1) !== null) return Math.min(ceiling, Math.max(1, Math.floor(held * BACK_OFF)));
  if (settling > 0 && held >= ceiling) return ceiling;
  const raised = ceiling + elapsedMs * Math.max(1 / RECOVER_MS_PER_CALL, ceiling * RECOVER_SHARE_PER_MS);
  return raised >= slotsMax ? Number.POSITIVE_INFINITY : raised;
}

const STAGE_SUBJECTS: Readonly<Record<Stage, string>> = {
  recognition: "speech recognition is",
  speech_detection: "speech detection is",
  media: "the audio of calls is",
  conversation: "the conversation threads are",
  voice: "speech synthesis is",
  worker: "the main thread is",
  database: "the database is",
};

/** The limit in a sentence for operators, without the final stop. */
export function describeLimit(limit: HeadroomLimit): string {
  switch (limit.because) {
    case "slots":
      return "PARLEY_CALL_SLOTS is reached";
    case "late":
      return `${STAGE_SUBJECTS[limit.stage]} ${Math.round(limit.lateMs)} ms late`;
    case "recognition_load":
      return "speech recognition would not keep up with another call";
    case "natural_voices":
      return "the natural voices would not keep up with another call";
    case "was_late":
      return "the machine was late with more calls than this a short time ago";
    case "settling":
      return "calls are started gradually while their load is measured";
  }
}

/** What an operator can do about a limit; null if there is nothing to do. */
export function suggestFor(limit: HeadroomLimit | null): string | null {
  if (limit === null || limit.because === "settling") return null;
  if (limit.because === "slots") return "Raise PARLEY_CALL_SLOTS if the machine has time to spare.";
  if (limit.because === "recognition_load")
    return "Add cores or another machine with the role calls, or set PARLEY_SPEECH_MODEL=tiny.";
  if (limit.because === "natural_voices")
    return "Raise PARLEY_VOICE_PROCESSES if the machine has idle cores, or add another machine with the role calls.";
  if (limit.because === "was_late") return "Add cores or another machine with the role calls.";
  if (limit.stage === "database") return "Give PostgreSQL a faster disk or its own machine.";
  if (limit.stage === "voice") return "Add cores, or set PARLEY_NATURAL_VOICES=off.";
  return "Stop other work on this machine, add cores, or add another machine with the role calls.";
}
