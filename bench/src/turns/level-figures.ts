import type { TurnTiming } from "@parley/voice/ports/conversation-journal";
import { percentile } from "../statistics.ts";
import type { ActPurpose } from "./callee-script.ts";
import type { RunResult } from "./run-calls.ts";
import type { TurnFigure } from "./turn-figures.ts";
import { sceneSizeOf } from "./turn-scene.ts";

/** The results of this many concurrent calls. Times in milliseconds, by the recordings unless stated otherwise. */
export interface LevelFigures {
  readonly calls: number;
  readonly expected: Responses;
  readonly free: Responses;
  readonly turns: number;
  readonly cutIns: number;
  readonly over: OverFigures;
  readonly duckMs: readonly number[];
  readonly silenceMs: readonly number[];
  readonly stopWordMs: readonly number[];
  readonly echoCalls: number;
  /** Interruptions and listening feedback on lines that echo. */
  readonly overEcho: OverFigures;
  readonly echoCuts: number;
  /** From the first clause of a rendered reply to its first audio. */
  readonly speechAfterDecisionMs: readonly number[];
  readonly parts: Readonly<Record<TimingPart, readonly number[]>>;
  readonly coresPerCall: number;
  readonly memoryMiBPerCall: number;
  readonly lostMs: number;
}

interface OverFigures {
  readonly interruptions: number;
  /** Interruptions and stop words that did not stop the agent. */
  readonly missed: number;
  readonly backChannels: number;
  readonly backChannelCuts: number;
}

interface Responses {
  readonly recordedMs: readonly number[];
  readonly wireMs: readonly number[];
}

export const TIMING_PARTS = ["holdMs", "recognitionMs", "decisionMs", "firstAudioMs", "totalMs"] as const;
type TimingPart = (typeof TIMING_PARTS)[number];

export function figuresOf({ calls, coresPerCall, memoryMiBPerCall }: RunResult): LevelFigures {
  const echoing = calls.filter(({ echoes }) => echoes);
  // On a line with echo, the callee's last audio cannot be located to the millisecond.
  const figures = calls.filter(({ echoes }) => !echoes).flatMap((call) => call.figures);
  const timings = calls.flatMap(({ hosted }) =>
    hosted.entries.flatMap(({ entry }) => (entry.type === "turn_timing" ? [entry.timing] : [])),
  );
  const over = figures.filter(isOver);
  const isDone = (figure: TurnFigure) => figure.outcome === "answered" || figure.outcome === "cut_in";
  return {
    calls: calls.length,
    coresPerCall,
    memoryMiBPerCall,
    expected: responsesOf(figures, "expected"),
    free: responsesOf(figures, "free"),
    turns: figures.filter(isDone).length,
    cutIns: figures.filter(({ outcome }) => outcome === "cut_in").length,
    over: countOver(over),
    duckMs: over.flatMap(({ duckMs }) => duckMs ?? []),
    silenceMs: silences(over, "interruption"),
    stopWordMs: silences(over, "stop_word"),
    echoCalls: echoing.length,
    overEcho: countOver(echoing.flatMap((call) => call.figures).filter(isOver)),
    echoCuts: echoing.reduce((sum, { echoCuts }) => sum + echoCuts, 0),
    speechAfterDecisionMs: timings
      .filter((timing) => isRenderedAhead(timing, calls.length))
      .map(({ firstAudioMs }) => firstAudioMs),
    parts: partsOf(timings),
    lostMs: calls.reduce((sum, { hosted }) => sum + hosted.lostMs, 0),
  };
}

/** The greeting has the first number, and the replies to expected answers follow. */
function isRenderedAhead({ turnId }: TurnTiming, calls: number): boolean {
  return turnId <= 1 + sceneSizeOf(calls).expectedTurns;
}

type SpokenOver = Extract<TurnFigure, { outcome: "spoken_over" }>;

function isOver(figure: TurnFigure): figure is SpokenOver {
  return figure.outcome === "spoken_over";
}

function countOver(over: readonly SpokenOver[]): OverFigures {
  const backChannels = over.filter(({ purpose }) => purpose === "back_channel");
  const wanted = over.filter(({ purpose }) => purpose !== "back_channel");
  return {
    interruptions: wanted.length,
    missed: wanted.filter(({ silenceMs }) => silenceMs === null).length,
    backChannels: backChannels.length,
    backChannelCuts: backChannels.filter(({ silenceMs }) => silenceMs !== null).length,
  };
}

function silences(figures: readonly SpokenOver[], purpose: ActPurpose): number[] {
  return figures.flatMap((figure) => (figure.purpose === purpose ? (figure.silenceMs ?? []) : []));
}

function responsesOf(figures: readonly TurnFigure[], purpose: ActPurpose): Responses {
  const own = figures.flatMap((figure) =>
    figure.outcome === "answered" && figure.purpose === purpose ? [figure] : [],
  );
  return { recordedMs: own.map(({ responseMs }) => responseMs), wireMs: own.flatMap(({ wireMs }) => wireMs ?? []) };
}

function partsOf(timings: readonly TurnTiming[]): LevelFigures["parts"] {
  const of = (part: TimingPart) => timings.map((timing) => timing[part]);
  return {
    holdMs: of("holdMs"),
    recognitionMs: of("recognitionMs"),
    decisionMs: of("decisionMs"),
    firstAudioMs: of("firstAudioMs"),
    totalMs: of("totalMs"),
  };
}

/** "520/810": the middle, and what one in twenty is above. */
export function halfAndMost(values: readonly number[]): string {
  return values.length === 0 ? "-" : `${percentile(values, 50).toFixed(0)}/${percentile(values, 95).toFixed(0)}`;
}
