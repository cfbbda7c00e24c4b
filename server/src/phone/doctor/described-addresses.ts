import { parseSdp } from "@parley/telephony/sdp/parse-sdp";
import { parseMessage } from "@parley/telephony/sip/parse-message";
import { sdpOf } from "@parley/telephony/sip/read-headers";

/** Reads from passing messages where each end wants to have its sound. */
export class DescribedAddresses {
  offered: string | null = null;
  answered: string | null = null;

  note(direction: "in" | "out", bytes: Buffer): void {
    const parsed = parseMessage(bytes);
    if (!parsed.ok) return;
    const { message } = parsed;
    const isOffer = direction === "out" && message.kind === "request" && message.method === "INVITE";
    const isAnswer = direction === "in" && message.kind === "response" && message.status < 300;
    if (!isOffer && !isAnswer) return;
    const address = addressOf(sdpOf(message));
    if (isOffer) this.offered ??= address;
    else this.answered = address ?? this.answered;
  }
}

function addressOf(sdp: string | null): string | null {
  const parsed = sdp === null ? null : parseSdp(sdp);
  return parsed?.ok ? (parsed.description.media[0]?.address ?? null) : null;
}
