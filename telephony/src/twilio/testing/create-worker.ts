import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { DialAttempt, DialJournal } from "../../carrier.ts";
import { followLeg } from "../../conformance/follow-leg.ts";
import { createTwilioCarrier } from "../twilio-carrier.ts";
import { TwilioRest } from "../twilio-rest.ts";
import { createFastClock } from "./fast-clock.ts";
import { ACCOUNT_SID, AUTH_TOKEN } from "./open-twilio-rig.ts";
import { openTwilioEndpoint } from "./twilio-endpoint.ts";

/**
 * A process that places many calls, one per number, and may be killed at any time: started again, it continues. What it knows of
 * its former lives is a file, written before each request. As `naive` it writes only what was confirmed, and repeats the rest.
 */
export interface CreateWorkerOrder {
  readonly kind: "careful" | "naive";
  readonly twilioUrl: string;
  readonly journalPath: string;
  readonly numbers: readonly string[];
}

type JournalLine =
  | { readonly type: "written"; readonly to: string; readonly attempt: DialAttempt }
  | { readonly type: "over"; readonly to: string };

const AT_ONCE = 20;
const SPEED = 40;
const NAIVE_TRIES = 3;
const clock = createFastClock(SPEED);

async function work(order: CreateWorkerOrder): Promise<void> {
  const lines = readJournal(order.journalPath);
  const note = (line: JournalLine) => appendFileSync(order.journalPath, `${JSON.stringify(line)}\n`);
  const over = new Set(lines.flatMap((line) => (line.type === "over" ? [line.to] : [])));
  const written = new Map(lines.flatMap((line) => (line.type === "written" ? [[line.to, line.attempt] as const] : [])));
  const left = order.numbers.filter((to) => !over.has(to));
  const dial = order.kind === "careful" ? await dialCarefully(order, written, note) : dialNaively(order);
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
  { twilioUrl }: CreateWorkerOrder,
  written: ReadonlyMap<string, DialAttempt>,
  note: (line: JournalLine) => void,
): Promise<Dialing> {
  const endpoint = await openTwilioEndpoint();
  const carrier = createTwilioCarrier({
    clock,
    accountSid: ACCOUNT_SID,
    authToken: AUTH_TOKEN,
    baseUrl: twilioUrl,
    publicUrl: endpoint.url,
    callerId: "+15550199999",
    onError: () => undefined,
  });
  endpoint.serve(carrier);
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
      await endpoint.close();
    },
  };
}

/** As many clients do: what failed is tried again, and what was not confirmed before a crash is done again. */
function dialNaively({ twilioUrl }: CreateWorkerOrder): Dialing {
  const rest = new TwilioRest({ clock, accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, baseUrl: twilioUrl });
  return {
    async place(to) {
      for (let attempt = 0; attempt < NAIVE_TRIES; attempt += 1) {
        const call = { to, from: "+15550199999", twiml: "<Response><Hangup/></Response>", ringTimeoutS: 30 };
        const outcome = await rest.createCall({ ...call, statusUrl: "http://127.0.0.1:1/" });
        if (outcome.type === "created") return;
      }
    },
    close: async () => rest.close(),
  };
}

function readJournal(path: string): readonly JournalLine[] {
  if (!existsSync(path)) return [];
  const complete = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return complete.map((line) => JSON.parse(line) as JournalLine);
}

const [, , orderPath = ""] = process.argv;
await work(JSON.parse(readFileSync(orderPath, "utf8")) as CreateWorkerOrder);
