import type { Essentials } from "../message.ts";
import { tagOf } from "../name-addr.ts";
import { BRANCH_COOKIE, branchOf, sentBy } from "../via.ts";

/** RFC 3261 section 17.1.3: a response belongs to the request whose branch and method it repeats. */
export function clientKey(branch: string, method: string): string {
  return `${method} ${branch}`;
}

/**
 * RFC 3261 section 17.2.3: branch, sent-by and method; an ACK belongs to the INVITE it acknowledges. A branch without the
 * magic cookie is not unique, so that more of the message is needed to tell requests apart.
 */
export function serverKey({ via, cseq, callId, from }: Essentials): string {
  const method = cseq.method === "ACK" ? "INVITE" : cseq.method;
  const branch = branchOf(via) ?? "";
  const base = `${method} ${sentBy(via)} ${branch}`;
  if (branch.startsWith(BRANCH_COOKIE)) return base;
  return `${base} ${callId} ${cseq.number} ${tagOf(from) ?? ""}`;
}
