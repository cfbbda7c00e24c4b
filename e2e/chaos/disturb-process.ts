/**
 * Loaded into a process before its program (`node --import`), to simulate faults of its machine: at SIGUSR2 it carries
 * out the order in the file that `CHAOS_ORDERS` names. The wall clock jumps, or the process blocks for some time.
 */
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

export type Disturbance = { readonly jumpMs: number } | { readonly stallMs: number };

/** The prefix of the line that reports what was done. */
export const DISTURBED = "disturbed: ";

const TrueDate = Date;
let shiftMs = 0;

class ShiftedDate extends TrueDate {
  static override now(): number {
    return TrueDate.now() + shiftMs;
  }

  constructor(...args: ConstructorParameters<DateConstructor> | []) {
    if (args.length === 0) super(TrueDate.now() + shiftMs);
    else super(...args);
  }
}

function carryOut(order: Disturbance): void {
  if ("jumpMs" in order) {
    shiftMs += order.jumpMs;
    return;
  }
  const endMs = performance.now() + order.stallMs;
  while (performance.now() < endMs);
}

const ordersFile = process.env["CHAOS_ORDERS"];
if (isMainThread && ordersFile) {
  globalThis.Date = ShiftedDate as DateConstructor;
  process.on("SIGUSR2", () => {
    const text = readFileSync(ordersFile, "utf8");
    carryOut(JSON.parse(text) as Disturbance);
    console.log(`${DISTURBED}${text} at ${new Date().toISOString()}`);
  });
}
