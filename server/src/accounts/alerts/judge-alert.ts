import type { AlertCause, AlertRules } from "@parley/contract/alerts";
import { formatUsd } from "@parley/contract/money";

/**
 * Where a figure stands: `beyond` its threshold, `recovered` clearly on the other side, or `between`, where an alert
 * neither begins nor ends, so that a figure that moves around its threshold does not raise one alert after another.
 */
export interface Judgement {
  readonly standing: "beyond" | "between" | "recovered";
  readonly cause: AlertCause;
}

/** How many points above the threshold an answer rate has recovered. */
const RECOVERY_POINTS = 5;

export function judgeAnswerRate(
  { belowPercent, hours, callsMin }: NonNullable<AlertRules["answerRate"]>,
  { calls, answered }: { readonly calls: number; readonly answered: number },
): Judgement {
  const percent = calls === 0 ? 100 : (100 * answered) / calls;
  const cause = { type: "answer_rate", percent: Math.round(percent * 10) / 10, calls, hours, belowPercent } as const;
  if (percent >= Math.min(100, belowPercent + RECOVERY_POINTS)) return { standing: "recovered", cause };
  return { standing: calls >= callsMin && percent < belowPercent ? "beyond" : "between", cause };
}

/** Incidents have recovered at half of the threshold. */
export function judgeIncidents({ atLeast, hours }: NonNullable<AlertRules["incidents"]>, incidents: number): Judgement {
  const cause = { type: "incidents", incidents, hours, atLeast } as const;
  if (incidents >= atLeast) return { standing: "beyond", cause };
  return { standing: incidents <= Math.floor(atLeast / 2) ? "recovered" : "between", cause };
}

/** Credit has recovered a tenth above the threshold. */
export function judgeCredit({
  balanceMicros,
  lowMicros,
}: {
  readonly balanceMicros: bigint;
  readonly lowMicros: bigint;
}): Judgement {
  const cause = {
    type: "credit_low",
    balance: formatUsd(balanceMicros),
    creditLowAt: formatUsd(lowMicros),
  } as const;
  if (balanceMicros < lowMicros) return { standing: "beyond", cause };
  return { standing: balanceMicros * 10n >= lowMicros * 11n ? "recovered" : "between", cause };
}

/** An alert is raised once per crossing, and not again within the quiet period. Without a judgement nothing is watched. */
export function decideAlert(
  judgement: Judgement | null,
  latest: { readonly raisedAtMs: number; readonly isOpen: boolean } | null,
  quietMinutes: number,
  nowMs: number,
): "raise" | "resolve" | "nothing" {
  if (latest?.isOpen) return judgement === null || judgement.standing === "recovered" ? "resolve" : "nothing";
  if (judgement?.standing !== "beyond") return "nothing";
  const isQuiet = latest !== null && nowMs - latest.raisedAtMs < quietMinutes * 60_000;
  return isQuiet ? "nothing" : "raise";
}
