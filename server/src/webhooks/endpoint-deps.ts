import type { Secrets } from "../platform/config/secret.ts";
import type { OutboundPolicy } from "../platform/outbound-http/outbound-policy.ts";

/** What it takes to make and change endpoints. */
export interface EndpointDeps {
  readonly secrets: Pick<Secrets, "seal" | "open">;
  /** Where events may be sent. */
  readonly policy: OutboundPolicy;
  nowMs(): number;
}
