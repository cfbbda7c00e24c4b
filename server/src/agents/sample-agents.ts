import type { Tx } from "../database/database.ts";
import { insertPublishedAgents } from "./sample-store.ts";
import { APPOINTMENT_CONFIRMATION } from "./samples/appointment-confirmation.ts";
import { DELIVERY_NOTICE } from "./samples/delivery-notice.ts";
import { PAYMENT_REMINDER } from "./samples/payment-reminder.ts";
import { RECEPTIONIST } from "./samples/receptionist.ts";
import type { SampleAgent } from "./samples/sample-agent.ts";
import { SATISFACTION_SURVEY } from "./samples/satisfaction-survey.ts";

/** In the order in which a new account sees them: the one that needs a language model comes last. */
export const SAMPLE_AGENTS: readonly SampleAgent[] = [
  APPOINTMENT_CONFIRMATION,
  DELIVERY_NOTICE,
  SATISFACTION_SURVEY,
  PAYMENT_REMINDER,
  RECEPTIONIST,
];

/** Gives a new account agents that can be called at once. Returns their ids in the order in which a list shows them. */
export async function addSampleAgents(tx: Tx, accountId: string): Promise<readonly string[]> {
  return insertPublishedAgents(tx, accountId, SAMPLE_AGENTS);
}
