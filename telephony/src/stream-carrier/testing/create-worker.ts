import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Clock } from "@parley/time/clock";
import type { Carrier, DialAttempt, DialJournal } from "../../carrier.ts";
import { followLeg } from "../../conformance/follow-leg.ts";
import { createFastClock } from "./fast-clock.ts";

/**
 * A process that places many calls, one per number, and may be killed at any time: started again, it continues. What it knows of
 * its former lives is a file, written before each request. As `naive` it writes only what was confirmed, and repeats the rest.
 */
export interface CreateWorkerOrder {
  readonly kind: "careful" | "naive";
  /** Of the stand-in for the vendor. */
  readonly vendorUrl: string;
  readonly journalPath: string;
  readonly numbers: readonly string[];
}

/** How a vendor is called by the two kinds of client. */
export interface CreateWorkerVendor {
  openCarrier(vendorUrl: string, clock: Clock): Promise<{ readonly carrier: Carrier; close(): Promise<void> }>;
  /** Sends one request. True if the vendor confirmed the call. */
  openNaiveClient(vendorUrl: string, clock: Clock): { create(to: string): Promise<boolean>; close(): void };
}

type JournalLine =
  | { readonly type: "written"; readonly to: string; readonly attempt: DialAttempt }
  | { readonly type: "over"; readonly to: string };

const AT_ONCE = 20;
const SPEED = 40;
const NAIVE_TRIES = 3;
const clock = createFastClock(SPEED);

/** What the process does; its order is in the file that it is started with. */
export async function runCreateWorker(vendor: CreateWorkerVendor): Promise<void> {
  const [, , orderPath = ""] = process.argv;
  const order = JSON.parse(readFileSync(orderPath, "utf8")) as CreateWorkerOrder;
  const lines = readJournal(order.journalPath);
  const note = (line: JournalLine) => appendFileSync(order.journalPath, `${JSON.stringify(line)}\n`);
  const over = new Set(lines.flatMap((line) => (line.type === "over" ? [line.to] : [])));
  const written = new Map(lines.flatMap((line) => (line.type === "written" ? [[line.to, line.attempt] as const] : [])));
  const left = order.numbers.filter((to) => !over.has(to));
  const dial =
    order.kind === "careful" ? await dialCarefully(vendor, order, written, note) : dialNaively(vendor, order);
  const next = left.values();
  const run = async () => {
    for (const to of next) {
      await dial.place(to);
      note({ type: "over", to });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  await dial.close();
}

interface Dialing {
  place(to: string): Promise<void>;
  close(): Promise<void>;
}

async function dialCarefully(
  vendor: CreateWorkerVendor,
  { vendorUrl }: CreateWorkerOrder,
  written: ReadonlyMap<string, DialAttempt>,
  note: (line: JournalLine) => void,
): Promise<Dialing> {
  const { carrier, close } = await vendor.openCarrier(vendorUrl, clock);
  return {
    async place(to) {
      const earlier = written.get(to);
      if (earlier !== undefined) {
        // It may have been dialed in a former life: it is ended, as far as it can be found, and not dialed.
        await carrier.endOrphan({ callId: to, dialId: earlier.dialId, record: earlier.record });
        return;
      }
      const journal: DialJournal = {
        async writeAhead(attempt) {
          note({ type: "written", to, attempt });
          return { decision: "send", afterMs: 0 };
        },
        commitAnswer: async () => undefined,
        noteEnd: () => undefined,
      };
      const leg = await carrier.place({ callId: to, dialId: randomUUID(), to, from: null, journal });
      await followLeg(leg).until("ended");
    },
    async close() {
      await carrier.close();
      await close();
    },
  };
}

/** As many clients do: what failed is tried again, and what was not confirmed before a crash is done again. */
function dialNaively(vendor: CreateWorkerVendor, { vendorUrl }: CreateWorkerOrder): Dialing {
  const client = vendor.openNaiveClient(vendorUrl, clock);
  return {
    async place(to) {
      for (let attempt = 0; attempt < NAIVE_TRIES; attempt += 1) if (await client.create(to)) return;
    },
    close: async () => client.close(),
  };
}

function readJournal(path: string): readonly JournalLine[] {
  if (!existsSync(path)) return [];
  const complete = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return complete.map((line) => JSON.parse(line) as JournalLine);
}
