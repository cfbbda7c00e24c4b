import { expect, test } from "vitest";
import { checkSilences, readWatches, type Silence } from "./check-silence.ts";
import type { InjectedFault } from "./inject-faults.ts";

const T = Date.parse("2026-01-01T00:00:00.000Z");
const silence = (ms: number): Silence => ({ callId: "call_1", leftAtMs: T, ms, wasHeldUp: false });
const kill = (name: string, atMs: number): InjectedFault => ({
  kind: "worker",
  name,
  atMs,
  inFlight: 1,
  serial: 1,
  point: null,
  backAtMs: null,
});
const ready = (atMs: number) => () => `{"level":"info","time":"${new Date(atMs).toISOString()}","msg":"ready"}\n`;

test("a leg that another worker did not end in time is a silence, and one that it did is not", () => {
  const watches = readWatches([{ name: "worker1", outputs: [ready(T - 60_000)] }], []);
  expect(checkSilences([silence(14_999)], watches, 1)).toEqual([]);
  expect(checkSilences([silence(15_001)], watches, 1)).toHaveLength(1);
});

test("while every worker is down no one can end a leg, and the time counts from the first that stays", () => {
  const worker = { name: "worker1", outputs: [ready(T - 60_000), ready(T + 20_000)] };
  const watches = readWatches([worker], [kill("worker1", T + 5_000)]);
  expect(watches.map(({ toMs }) => toMs)).toEqual([T + 5_000, Number.POSITIVE_INFINITY]);
  expect(checkSilences([silence(34_999)], watches, 1)).toEqual([]);
  expect(checkSilences([silence(35_001)], watches, 1)).toHaveLength(1);
});
