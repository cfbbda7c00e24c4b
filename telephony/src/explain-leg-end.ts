import type { LegEnd, LegEndCause, LegEndDetail } from "./carrier.ts";

const SENTENCE_BY_CAUSE: Readonly<Record<LegEndCause, string>> = {
  hangup: "The call ended normally.",
  canceled: "The call was canceled before anyone answered.",
  busy: "The line was busy.",
  no_answer: "No answer.",
  declined: "The call was declined.",
  blocked: "The call was blocked as unwanted.",
  invalid_number: "The number does not exist.",
  unreachable: "The phone could not be reached. It may be switched off or without coverage.",
  rejected: "The carrier refused the call.",
  unavailable: "The phone network could not carry the call.",
  media_timeout: "No more audio arrived from the phone.",
  lost: "The connection to the phone network was lost.",
};

/** Codes that are more specific than their cause. */
const SENTENCE_BY_CODE: Readonly<Partial<Record<LegEndCause, ReadonlyMap<number, string>>>> = {
  blocked: new Map([
    [603, "A call blocking service refused the call."],
    [608, "A call blocking service refused the call."],
  ]),
  invalid_number: new Map([
    [410, "The number is no longer in service."],
    [484, "The number is incomplete."],
    [485, "The number is ambiguous."],
  ]),
  rejected: new Map([
    [401, "The carrier did not accept our credentials."],
    [402, "The carrier asks for payment before it connects calls."],
    [407, "The carrier did not accept our credentials."],
    [433, "The call was refused because it hides its caller's number."],
    [482, "The carrier had already been given this call."],
    [488, "The carrier and we have no audio format in common."],
    [606, "The carrier and we have no audio format in common."],
  ]),
  unavailable: new Map([
    [503, "The phone network is out of service or overloaded."],
    [504, "The phone network did not respond in time."],
  ]),
};

/** Circumstances that are more specific than the code. */
const SENTENCE_BY_DETAIL: Readonly<Record<LegEndDetail, string>> = {
  no_response: "The phone network did not respond.",
  not_delivered: "The phone network could not be reached.",
  unusable_answer: "The phone was answered, but in an audio format that we cannot use.",
  already_sent: "This call was sent before, so that it was not sent again.",
  credentials_missing: "The carrier asks for a username and password, and none are set.",
  challenged_after_ringing:
    "The carrier asked for credentials only after the phone rang, too late to send the call again.",
  challenge_unsupported: "The carrier asked for credentials in a way that is not supported.",
};

/** Explains the end of a leg without telephony jargon. */
export function explainLegEnd({ cause, code, detail }: Pick<LegEnd, "cause" | "code" | "detail">): string {
  if (detail !== undefined) return SENTENCE_BY_DETAIL[detail];
  const special = code === null ? undefined : SENTENCE_BY_CODE[cause]?.get(code);
  return special ?? SENTENCE_BY_CAUSE[cause];
}
