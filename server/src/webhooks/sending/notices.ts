import type { DisabledReason } from "@parley/contract/webhooks";
import type { Mail } from "../../platform/mail/send-mail.ts";

/** A notification about an endpoint for its owners. */
export type EndpointAlert = {
  readonly accountId: string;
  readonly endpoint: { readonly id: string; readonly url: string };
} & (
  | { readonly kind: "failing" }
  | { readonly kind: "disabled"; readonly reason: Exclude<DisabledReason, "member">; readonly explanation: string }
);

export function explainDisabling(reason: Exclude<DisabledReason, "member">): string {
  return reason === "gone"
    ? "The endpoint answered 410 Gone, which asks for no more events."
    : "The endpoint has accepted nothing for five days.";
}

export function noticeMail(to: string, notice: EndpointAlert): Mail {
  const { endpoint } = notice;
  if (notice.kind === "failing") {
    return {
      to,
      subject: "A webhook endpoint has been failing for a day",
      text: `The endpoint ${endpoint.id} at ${endpoint.url} has accepted nothing for 24 hours.

Events go on being tried. If nothing is accepted for five days, the endpoint is disabled. Every event is kept for 90 days
and can be replayed.
`,
    };
  }
  return {
    to,
    subject: "A webhook endpoint was disabled",
    text: `The endpoint ${endpoint.id} at ${endpoint.url} was disabled. ${notice.explanation}

What happens from now on is held for it. Every event is kept for 90 days: enable the endpoint and replay what it missed.
`,
  };
}
