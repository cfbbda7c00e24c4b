import type { MediaThread } from "../../rtp/media/media-thread.ts";
import { openEnd } from "../../rtp/testing/threaded-end.ts";
import { SRTP_SUITES } from "../../sdp/media-terms.ts";
import { answerReOffer, type LocalMedia } from "../../sdp/offer-answer.ts";
import { parseSdp, writeSdp } from "../../sdp/sdp-text.ts";
import { sdpOf } from "../../sip/message/read-headers.ts";
import { mediaSetupOf } from "../leg/leg-audio.ts";
import type { FarCall } from "./far-call.ts";

/** The far end's answer to the offer of a call, with its audio set up accordingly. Without a thread it has none. */
export async function describeFarAudio(call: FarCall, thread: MediaThread | null): Promise<string | undefined> {
  const { plan } = call;
  if (thread !== null) call.end ??= await openEnd(thread);
  const offer = parseSdp(sdpOf(call.invite) ?? "");
  if (!offer.ok) throw new Error(offer.reason);
  const local: LocalMedia = {
    address: "127.0.0.1",
    port: call.end?.leg.rtpPort ?? 9,
    originId: "7",
    codecs: ["PCMU", "PCMA"],
    srtp: plan.srtp ?? "off",
    srtpKeys: SRTP_SUITES.map((_, index) => Buffer.alloc(30, index + 1).toString("base64")),
  };
  const outcome = answerReOffer(local, 0, offer.description);
  if (!outcome.ok) throw new Error(outcome.reason);
  const { answer, terms } = outcome;
  if (terms.remote !== null) {
    const remote = { host: terms.remote.address, port: terms.remote.port };
    const setup = mediaSetupOf(terms, { remote, remoteControl: { host: remote.host, port: remote.port + 1 } }, true);
    if (setup !== null) call.end?.leg.configure(setup);
  }
  // The machine chose the ports, so that the two are no neighbours.
  const rtcp = call.end === null ? null : { port: call.end.leg.rtcpPort, address: null };
  const sdp = writeSdp({ ...answer, media: answer.media.map((media) => ({ ...media, rtcp })) });
  return plan.changeAnswer === undefined ? sdp : plan.changeAnswer(sdp);
}
