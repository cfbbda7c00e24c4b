import { APPOINTMENT_CONFIRMATION } from "./samples/appointment-confirmation.ts";
import { DELIVERY_NOTICE } from "./samples/delivery-notice.ts";
import type { SampleAgent } from "./samples/sample-agent.ts";

/**
 * The sample agents whose words are shipped rendered in a natural voice. The first is the one a newcomer calls. The others
 * are rendered by each installation itself, soon after its start.
 */
export const SHIPPED_SAMPLES: readonly SampleAgent[] = [APPOINTMENT_CONFIRMATION, DELIVERY_NOTICE];
