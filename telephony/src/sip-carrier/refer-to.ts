import type { HeaderLine } from "../sip/message.ts";
import { trunkUri } from "../sip/sip-trunk.ts";
import { escapeUser } from "../sip/uri.ts";
import type { SentAttempt } from "./start-attempt.ts";
import { writeDialedNumber } from "./write-number.ts";

/** Asks the trunk of a call to connect its callee with a number (RFC 3515), and says who asks (RFC 3892). */
export function referTo(attempt: SentAttempt | null, number: string): void {
  if (attempt === null) return;
  const { choice, sip, record, client } = attempt;
  const target = trunkUri(sip, escapeUser(writeDialedNumber(choice.trunk, number)));
  const isAnonymous = record.localAddress.includes("anonymous.invalid");
  const headers: readonly HeaderLine[] = isAnonymous ? [] : [["Referred-By", record.localAddress]];
  client.refer(target, headers);
}
