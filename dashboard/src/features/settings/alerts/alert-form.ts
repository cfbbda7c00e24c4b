import { type AlertRules, AlertRulesChanges } from "@parley/contract/alerts";
import { alertsText } from "./text.tsx";

/** The rules as they are typed. */
export interface AlertForm {
  readonly watchesAnswerRate: boolean;
  readonly belowPercent: string;
  readonly rateHours: string;
  readonly callsMin: string;
  readonly watchesIncidents: boolean;
  readonly atLeast: string;
  readonly incidentHours: string;
  readonly creditLow: boolean;
  readonly quietMinutes: string;
  readonly emailOwners: boolean;
}

export type NumberField = {
  [Name in keyof AlertForm]: AlertForm[Name] extends string ? Name : never;
}[keyof AlertForm];

/** What is proposed for a rule that was off. */
const PROPOSED = { answerRate: { belowPercent: 40, hours: 2, callsMin: 20 }, incidents: { atLeast: 5, hours: 1 } };

export function toForm({ answerRate, incidents, creditLow, quietMinutes, emailOwners }: AlertRules): AlertForm {
  const rate = answerRate ?? PROPOSED.answerRate;
  const problems = incidents ?? PROPOSED.incidents;
  return {
    watchesAnswerRate: answerRate !== null,
    belowPercent: String(rate.belowPercent),
    rateHours: String(rate.hours),
    callsMin: String(rate.callsMin),
    watchesIncidents: incidents !== null,
    atLeast: String(problems.atLeast),
    incidentHours: String(problems.hours),
    creditLow,
    quietMinutes: String(quietMinutes),
    emailOwners,
  };
}

/** The rules that were typed. Those of other modes than live have no credit. */
export function toChanges(form: AlertForm): AlertRulesChanges {
  return {
    answerRate: form.watchesAnswerRate
      ? {
          belowPercent: readWhole(form.belowPercent),
          hours: readWhole(form.rateHours),
          callsMin: readWhole(form.callsMin),
        }
      : null,
    incidents: form.watchesIncidents
      ? { atLeast: readWhole(form.atLeast), hours: readWhole(form.incidentHours) }
      : null,
    creditLow: form.creditLow,
    quietMinutes: readWhole(form.quietMinutes),
    emailOwners: form.emailOwners,
  };
}

const readWhole = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed.trim()) : Number.NaN);

/** Where each field is in the rules, and the range that the API accepts. */
const FIELDS: Readonly<Record<NumberField, readonly [path: string, minimum: number, maximum: number]>> = {
  belowPercent: ["answerRate.belowPercent", 1, 100],
  rateHours: ["answerRate.hours", 1, 168],
  callsMin: ["answerRate.callsMin", 1, 10_000],
  atLeast: ["incidents.atLeast", 1, 10_000],
  incidentHours: ["incidents.hours", 1, 168],
  quietMinutes: ["quietMinutes", 0, 10_080],
};

/** What is wrong, by field. A rule that is off has no mistakes. */
export function mistakesIn(form: AlertForm): Partial<Record<NumberField, string>> {
  const { error } = AlertRulesChanges.safeParse(toChanges(form));
  const wrong = new Set(error?.issues.map(({ path }) => path.join(".")));
  return Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, [path, minimum, maximum]]) =>
      wrong.has(path) ? [[name, alertsText.wholeNumberMistake(minimum, maximum)]] : [],
    ),
  );
}
