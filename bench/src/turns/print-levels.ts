import type { Goal } from "../goals.ts";
import { percentile } from "../statistics.ts";
import { halfAndMost, type LevelFigures, TIMING_PARTS } from "./level-figures.ts";

/** A column for each number of calls. Pairs are p50/p95 in milliseconds. */
export function printLevels(levels: readonly LevelFigures[]): void {
  const row = (name: string, value: (level: LevelFigures) => string) =>
    console.log(name.padEnd(44) + levels.map((level) => value(level).padStart(14)).join(""));
  console.log("");
  row("calls at once", ({ calls }) => String(calls));
  row("expected answer, rendered reply", ({ expected }) => halfAndMost(expected.recordedMs));
  row("  the same on the wire", ({ expected }) => halfAndMost(expected.wireMs));
  row("free text, live voice", ({ free }) => halfAndMost(free.recordedMs));
  row("  the same on the wire", ({ free }) => halfAndMost(free.wireMs));
  row("turns, of them cut in on", ({ turns, cutIns }) => `${turns}, ${cutIns}`);
  row("voice lowered", ({ duckMs }) => halfAndMost(duckMs));
  row("silent after an interruption", ({ silenceMs }) => halfAndMost(silenceMs));
  row("silent after a stop word", ({ stopWordMs }) => halfAndMost(stopWordMs));
  row("interruptions, of them missed", ({ over }) => `${over.interruptions}, ${over.missed}`);
  row("back-channels, of them cut for", ({ over }) => `${over.backChannels}, ${over.backChannelCuts}`);
  row("calls with echo, replies cut by it", ({ echoCalls, echoCuts }) => `${echoCalls}, ${echoCuts}`);
  row("  interruptions there, of them missed", ({ overEcho: over }) => `${over.interruptions}, ${over.missed}`);
  row(
    "  back-channels there, of them cut for",
    ({ overEcho: over }) => `${over.backChannels}, ${over.backChannelCuts}`,
  );
  for (const part of TIMING_PARTS) row(`  ${part} as written down`, ({ parts }) => halfAndMost(parts[part]));
  row("cores per call", ({ coresPerCall }) => coresPerCall.toFixed(3));
  row("MiB in use per call beyond the models", ({ memoryMiBPerCall }) => memoryMiBPerCall.toFixed(1));
  row("sound missing on recordings, ms", ({ lostMs }) => lostMs.toFixed(0));
}

/** What holds on lines that send the agent's voice back. */
export function echoGoalsOf({ calls, echoCalls, echoCuts, overEcho }: LevelFigures): Goal[] {
  if (echoCalls === 0) return [];
  return [
    { name: `echo_cuts_at_${calls}`, value: echoCuts, max: 0 },
    share(`interruptions_missed_over_echo_at_${calls}`, overEcho.missed, overEcho.interruptions, 5),
    share(`back_channel_cuts_over_echo_at_${calls}`, overEcho.backChannelCuts, overEcho.backChannels, 2),
  ];
}

export function goalsOf(levels: readonly LevelFigures[]): Goal[] {
  const ms = (name: string, values: readonly number[], percent: number, max: number): Goal => ({
    name,
    value: percentile(values, percent),
    max,
    unit: " ms",
  });
  return levels.flatMap((level) => {
    const at = `at_${level.calls}`;
    return [
      ms(`expected_p95_${at}`, level.expected.recordedMs, 95, 400),
      ms(`free_p95_${at}`, level.free.recordedMs, 95, 850),
      share(`cut_in_${at}`, level.cutIns, level.turns, 3),
      ms(`duck_p95_${at}`, level.duckMs, 95, 250),
      ms(`silence_p95_${at}`, level.silenceMs, 95, 550),
      ms(`stop_word_p95_${at}`, level.stopWordMs, 95, 800),
      share(`interruptions_missed_${at}`, level.over.missed, level.over.interruptions, 5),
      share(`back_channel_cuts_${at}`, level.over.backChannelCuts, level.over.backChannels, 2),
      ...echoGoalsOf(level),
      ms(`speech_after_decision_p95_${at}`, level.speechAfterDecisionMs, 95, 60),
      { name: `cores_per_call_${at}`, value: level.coresPerCall, max: 0.1 },
      { name: `memory_per_call_${at}`, value: level.memoryMiBPerCall, max: 5, unit: " MiB" },
    ];
  });
}

function share(name: string, part: number, whole: number, max: number): Goal {
  return { name, value: whole === 0 ? 0 : (100 * part) / whole, max, unit: " %" };
}
