import { invalidField } from "@parley/contract/errors";
import { explainBadUrl } from "../platform/outbound-http/explain-bad-url.ts";
import type { OutboundPolicy } from "../platform/outbound-http/outbound-policy.ts";
import { explainBadHeader } from "../platform/outbound-http/outbound-request.ts";

/** Fields that say what is sent and that it is ours: whoever could set them could pass something else off as ours. */
const OWN_HEADERS = /^(?:webhook-.*|content-type|user-agent)$/i;

export interface EndpointTarget {
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Refuses, with the field at fault, what could never be sent. Where a name leads is found out with each request. */
export function checkEndpoint({ url, headers }: EndpointTarget, policy: OutboundPolicy): void {
  const badUrl = url === undefined ? null : explainBadUrl(url, policy);
  if (badUrl !== null) throw invalidField("url", "not_reachable", badUrl);
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers ?? {})) {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const mistake = OWN_HEADERS.test(name)
      ? `The header ${name} cannot be set; it is written for you.`
      : isRepeated
        ? `The header ${name} is there twice.`
        : explainBadHeader(name, value);
    if (mistake !== null) throw invalidField("headers", "bad_header", mistake);
  }
}
