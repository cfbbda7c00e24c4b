import { percentile } from "../statistics.ts";
import { halfAndMost } from "../turns/level-figures.ts";
import type { EngineTurn, TurnStages } from "./engine-turns.ts";
import type { MemoryFigures } from "./measure-memory.ts";
import type { EngineLevel } from "./run-level.ts";

export function printLevels(levels: readonly EngineLevel[]): void {
  console.log(
    `\n${"".padEnd(22)}calls  response p50    p95   vendors p50: recognition  model  synthesis   overhead p50    p95   on the wire p95 ms  missed   cores/call   machine busy`,
  );
  for (const { name, calls, turns, missed, coresPerCall, busyCores } of levels) {
    const at = (value: (turn: EngineTurn) => number, percent: number) => percentile(turns.map(value), percent);
    console.log(
      name.padEnd(22) +
        String(calls).padStart(5) +
        at((turn) => turn.responseMs, 50)
          .toFixed(0)
          .padStart(14) +
        at((turn) => turn.responseMs, 95)
          .toFixed(0)
          .padStart(7) +
        at((turn) => turn.vendor.recognitionMs, 50)
          .toFixed(0)
          .padStart(26) +
        at((turn) => turn.vendor.modelMs, 50)
          .toFixed(0)
          .padStart(7) +
        at((turn) => turn.vendor.synthesisMs, 50)
          .toFixed(0)
          .padStart(11) +
        at((turn) => turn.overheadMs, 50)
          .toFixed(0)
          .padStart(15) +
        at((turn) => turn.overheadMs, 95)
          .toFixed(0)
          .padStart(7) +
        at((turn) => turn.overheadMs + turn.wireMs - turn.responseMs, 95)
          .toFixed(0)
          .padStart(18) +
        String(missed).padStart(11) +
        coresPerCall.toFixed(4).padStart(13) +
        `${busyCores.toFixed(2)} cores`.padStart(15),
    );
  }
  printStages(levels);
}

const STAGES: readonly [title: string, stage: keyof TurnStages][] = [
  ["callee to recognition", "hearingMs"],
  ["end of turn to model", "askingMs"],
  ["clause to voice", "wordingMs"],
  ["audio to callee", "playingMs"],
];

/** Where the overhead on the wire arises, and how much of it the recording does not have: the buffers of the network. */
function printStages(levels: readonly EngineLevel[]): void {
  const titles = [...STAGES.map(([title]) => title), "buffers"];
  console.log(`\n${"stages, p50/p95 ms".padEnd(22)}calls${titles.map((title) => title.padStart(24)).join("")}`);
  for (const { name, calls, turns } of levels) {
    const columns = [
      ...STAGES.map(([, stage]) => turns.map(({ stages }) => stages[stage])),
      turns.map(({ wireMs, responseMs }) => wireMs - responseMs),
    ];
    const row = columns.map((values) => halfAndMost(values).padStart(24)).join("");
    console.log(name.padEnd(22) + String(calls).padStart(5) + row);
  }
}

export function printMemory(measured: readonly MemoryFigures[]): void {
  console.log("\nmemory in use, MiB");
  for (const { name, held, miBPerCall } of measured) {
    const points = held.map(({ calls, miB }) => `${calls} calls ${miB.toFixed(1)}`).join("   ");
    console.log(`${name.padEnd(22)}${points}   each call ${miBPerCall.toFixed(2)}`);
  }
}
