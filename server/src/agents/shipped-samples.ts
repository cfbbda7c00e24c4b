import { APPOINTMENT_CONFIRMATION } from "./samples/appointment-confirmation.ts";
import { DELIVERY_NOTICE } from "./samples/delivery-notice.ts";
import { PAYMENT_REMINDER } from "./samples/payment-reminder.ts";
import type { SampleAgent } from "./samples/sample-agent.ts";
import { SATISFACTION_SURVEY } from "./samples/satisfaction-survey.ts";

/** The sample agents whose words are shipped rendered in a natural voice: all in which no language model speaks. */
export const SHIPPED_SAMPLES: readonly SampleAgent[] = [
  APPOINTMENT_CONFIRMATION,
  DELIVERY_NOTICE,
  SATISFACTION_SURVEY,
  PAYMENT_REMINDER,
];
