import type { Alert, AlertCause } from "@parley/contract/alerts";
import type { Mail } from "../../platform/mail/send-mail.ts";

export function alertMail(to: string, alert: Alert, dashboardUrl: string): Mail {
  return {
    to,
    subject: SUBJECTS[alert.cause.type],
    text: `${describe(alert.cause)}${alert.mode === "test" ? "\n\nThis is about test calls." : ""}

There is no further e-mail about this until it has recovered. Alerts and their thresholds are at
${dashboardUrl}/settings/alerts
`,
  };
}

const SUBJECTS: Readonly<Record<AlertCause["type"], string>> = {
  answer_rate: "Few calls are answered",
  incidents: "Calls have problems on our side",
  credit_low: "The credit is low",
};

function describe(cause: AlertCause): string {
  switch (cause.type) {
    case "answer_rate":
      return `${cause.percent}% of ${cause.calls} calls in the last ${hoursInWords(cause.hours)} were answered. Your threshold is ${cause.belowPercent}%.`;
    case "incidents":
      return `There were ${cause.incidents} problems on our side in the last ${hoursInWords(cause.hours)}. Your threshold is ${cause.atLeast}.`;
    case "credit_low":
      return `The balance is $${cause.balance}. Your threshold is $${cause.creditLowAt}.`;
  }
}

function hoursInWords(hours: number): string {
  return hours === 1 ? "hour" : `${hours} hours`;
}
