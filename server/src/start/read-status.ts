import { readCapacity } from "../calls/waiting.ts";
import type { Database } from "../platform/database/database.ts";
import { judgeStatus, type ServiceStatus, type StatusFacts } from "../platform/docs-site/service-status.ts";
import { readDeliveryBacklog } from "../webhooks/backlog-store.ts";

interface StatusDeps {
  readonly db: Database;
  readonly nowMs: () => number;
  /** Throws if this process cannot reach its database in time. */
  answersInTime<Answer>(answer: Promise<Answer>): Promise<Answer>;
}

/** The page is public: however often it is opened, the database is asked once in this time. */
const KEPT_MS = 5000;

/** The reader returns the current state of the installation. */
export function createStatusReader({ db, nowMs, answersInTime }: StatusDeps): () => Promise<ServiceStatus> {
  let kept: { readonly atMs: number; readonly status: Promise<ServiceStatus> } | null = null;

  async function readFacts(): Promise<StatusFacts> {
    const [{ workers, waiting }, deliveries] = await Promise.all([readCapacity(db), readDeliveryBacklog(db, nowMs())]);
    return {
      liveWorkers: workers.length,
      callsWaitForMachines: waiting.some(({ reason }) => reason === "capacity"),
      oldestDeliverySeconds: deliveries.oldest_seconds,
    };
  }
  async function read(): Promise<ServiceStatus> {
    const at = new Date(nowMs());
    // Whatever goes wrong here is an unreachable database, as for readiness.
    const facts = await answersInTime(readFacts()).catch(() => null);
    return judgeStatus(facts, at);
  }
  return () => {
    if (kept === null || nowMs() - kept.atMs >= KEPT_MS) kept = { atMs: nowMs(), status: read() };
    return kept.status;
  };
}
