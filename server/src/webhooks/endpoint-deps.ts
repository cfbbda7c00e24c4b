import type { Secrets } from "../config/secret.ts";
import type { OutboundPolicy } from "../outbound-http/outbound-policy.ts";

/** What it takes to make and change endpoints. */
export interface EndpointDeps {
  readonly secrets: Pick<Secrets, "seal" | "open">;
  /** Where events may be sent. */
  readonly policy: OutboundPolicy;
  nowMs(): number;
}
