import type { LegEndCause } from "@parley/telephony/carrier";
import type { AttemptOutcome, SipCarrierObserver } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { TrunkHealth } from "@parley/telephony/sip-carrier/trunks/trunk-health";
import type { Clock } from "@parley/time/clock";
import type { Log } from "../../platform/telemetry/log.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";

export interface ObserveTrunksDeps {
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  readonly metrics: Pick<Metrics, "sipInputRefused" | "trunkAttemptEnded" | "watchTrunks">;
  trunkNames(): readonly string[];
  trunkName(trunkId: string): string;
  noteAttempt(outcome: AttemptOutcome): void;
  noteHealth(trunkId: string, health: TrunkHealth): void;
}

// Garbage sent to a port must not fill the log: at most one line per kind in this time, with the count.
const LOG_EVERY_MS = 10_000;

const OUTCOMES: Readonly<Record<LegEndCause | "answered", true>> = {
  answered: true,
  hangup: true,
  canceled: true,
  busy: true,
  no_answer: true,
  declined: true,
  blocked: true,
  invalid_number: true,
  unreachable: true,
  rejected: true,
  unavailable: true,
  media_timeout: true,
  lost: true,
};

/** Reports the traffic with trunks to operators: as metrics, in the log, and in the health of the trunk. */
export function observeTrunks(deps: ObserveTrunksDeps): Required<Omit<SipCarrierObserver, "trace">> {
  const { clock, log, metrics, trunkName } = deps;
  metrics.watchTrunks(Object.keys(OUTCOMES), deps.trunkNames);
  const refusals = new Map<string, { atMs: number; unsaid: number }>();
  return {
    attemptEnded(outcome) {
      metrics.trunkAttemptEnded(trunkName(outcome.trunkId), outcome.answered ? "answered" : outcome.end.cause);
      deps.noteAttempt(outcome);
    },
    healthChanged(trunkId, health) {
      const fields = { trunkId, trunk: trunkName(trunkId), ...health };
      const isWell = health.isReachable !== false && health.isRegistered !== false && health.circuit !== "open";
      if (isWell) log.info(fields, "trunk healthy");
      else log.warn(fields, "trunk unhealthy");
      deps.noteHealth(trunkId, health);
    },
    refused(what, detail, source) {
      metrics.sipInputRefused(what);
      const nowMs = clock.now();
      const last = refusals.get(what);
      if (last && nowMs - last.atMs < LOG_EVERY_MS) {
        last.unsaid += 1;
        return;
      }
      refusals.set(what, { atMs: nowMs, unsaid: 0 });
      log.warn({ what, detail, source, unsaid: last?.unsaid ?? 0 }, "network input rejected");
    },
    failed: (error) => log.error({ error }, "trunk error"),
  };
}
