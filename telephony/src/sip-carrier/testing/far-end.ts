import type { Clock } from "@parley/time/clock";
import type { MediaThread } from "../../rtp/media/media-thread.ts";
import { openEnd } from "../../rtp/testing/threaded-end.ts";
import { SRTP_SUITES } from "../../sdp/media-terms.ts";
import { answerReOffer, type LocalMedia } from "../../sdp/offer-answer.ts";
import { parseSdp, writeSdp } from "../../sdp/sdp-text.ts";
import type { HeaderLine, ReceivedRequest } from "../../sip/message/message.ts";
import { sdpOf } from "../../sip/message/read-headers.ts";
import { parseUri } from "../../sip/message/uri.ts";
import { branchOf } from "../../sip/message/via.ts";
import { ScriptedPeer } from "../../sip/testing/scripted-peer.ts";
import type { SipTransport } from "../../sip/transport/sip-transport.ts";
import { type CountingClock, createCountingClock } from "../counting-clock.ts";
import { mediaSetupOf } from "../leg/leg-audio.ts";
import type { FarCall, FarPlan } from "./far-call.ts";

export type { FarCall, FarPlan } from "./far-call.ts";

export interface FarEndDeps {
  readonly clock: Clock;
  readonly transport: SipTransport;
  /** Without one the far end is deaf and mute. */
  readonly thread: MediaThread | null;
  readonly planOf: (number: string) => FarPlan;
}

const HEARD_MAX = 800_000;

/** A telephone network behind one address, built from our own components: phones that ring, answer, speak and hang up. */
export class FarEnd {
  readonly peer: ScriptedPeer;
  readonly calls = new Map<string, FarCall>();
  readonly #deps: FarEndDeps;
  readonly #clock: CountingClock;
  readonly #cancels = new Set<() => void>();
  #tags = 0;

  constructor(deps: FarEndDeps) {
    this.#deps = deps;
    this.#clock = createCountingClock(deps.clock);
    this.peer = new ScriptedPeer(deps.transport);
    this.peer.on("INVITE", (invite) => this.#invited(invite));
    this.peer.on("CANCEL", (cancel) => this.#canceled(cancel));
    this.peer.on("BYE", (bye) => this.#byeCame(bye));
    this.peer.on("OPTIONS", (request) => this.peer.reply(request, 200));
    this.peer.on("INFO", (request) => this.peer.reply(request, 200));
    this.peer.on("PRACK", (request) => this.peer.reply(request, 200));
    this.peer.on("UPDATE", (request) => this.peer.reply(request, 200));
  }

  get port(): number {
    return this.#deps.transport.local.port;
  }

  pendingTimers(): number {
    return this.#clock.pendingTimers();
  }

  /** The newest call to a number. */
  callTo(number: string): FarCall {
    const found = [...this.calls.values()].findLast(({ invite }) => numberOf(invite) === number);
    if (found === undefined) throw new Error(`no call to ${number} arrived`);
    return found;
  }

  hangUp(call: FarCall, headers: readonly HeaderLine[] = []): void {
    if (call.state !== "talking") return;
    call.state = "over";
    this.peer.ask(call.invite, "BYE", { toTag: call.tag, headers });
  }

  /** Reads what arrived since the last time. */
  listen(call: FarCall): Int16Array {
    const reader = call.end?.heard;
    if (reader !== undefined) {
      const fresh = new Int16Array(reader.availableSamples);
      const count = reader.read(fresh);
      for (let index = 0; index < count && call.heard.length < HEARD_MAX; index += 1)
        call.heard.push(fresh[index] ?? 0);
    }
    return Int16Array.from(call.heard);
  }

  keysHeard(call: FarCall): string {
    return (call.end?.events ?? []).flatMap((event) => (event.type === "dtmf" ? [event.key] : [])).join("");
  }

  async close(): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    await Promise.all([...this.calls.values()].map(({ end }) => end?.leg.close()));
    await this.#deps.transport.close();
  }

  #later(delayMs: number, act: () => void): void {
    const cancel = this.#clock.setTimer(delayMs, () => {
      this.#cancels.delete(cancel);
      act();
    });
    this.#cancels.add(cancel);
  }

  #invited(invite: ReceivedRequest): void {
    const { callId, via } = invite.essentials;
    const known = this.calls.get(callId);
    if (known !== undefined) {
      // RFC 3261 section 8.2.2.2: the same request by another way is refused; a repetition was answered already.
      if (branchOf(known.invite.essentials.via) !== branchOf(via)) this.peer.reply(invite, 482, { toTag: "again" });
      return;
    }
    this.#tags += 1;
    const plan = this.#deps.planOf(numberOf(invite));
    const call: FarCall = { invite, plan, tag: `far${this.#tags}`, state: "new", timesRung: 0, end: null, heard: [] };
    this.calls.set(callId, call);
    if (plan.isSilent === "from the beginning") return;
    this.peer.reply(invite, 100);
    if (plan.isSilent === undefined) this.#proceed(call);
  }

  #proceed(call: FarCall): void {
    const { ringsAfterMs = 10 } = call.plan;
    if (ringsAfterMs === null) this.#decide(call);
    else this.#later(ringsAfterMs, () => this.#ring(call).catch(fail));
  }

  async #ring(call: FarCall): Promise<void> {
    if (call.state !== "new") return;
    call.state = "ringing";
    call.timesRung += 1;
    if (call.plan.hasEarlyMedia) {
      const sdp = await describeFarAudio(call, this.#deps.thread);
      if (sdp !== undefined) this.peer.reply(call.invite, 183, { toTag: call.tag, sdp, reason: "Session Progress" });
      this.#speak(call);
    } else this.peer.reply(call.invite, 180, { toTag: call.tag, reason: "Ringing" });
    this.#decide(call);
  }

  #decide(call: FarCall): void {
    const { refuses, answersAfterMs = 20 } = call.plan;
    if (refuses !== undefined) this.#later(5, () => this.#refuse(call, refuses));
    else if (answersAfterMs !== null) this.#later(answersAfterMs, () => this.#answer(call).catch(fail));
  }

  #refuse(call: FarCall, { status, reason, headers = [] }: NonNullable<FarPlan["refuses"]>): void {
    if (call.state === "over") return;
    call.state = "over";
    this.peer.reply(call.invite, status, { toTag: call.tag, headers, ...(reason === undefined ? {} : { reason }) });
  }

  async #answer(call: FarCall): Promise<void> {
    if (call.state === "over") return;
    const sdp = await describeFarAudio(call, this.#deps.thread);
    // It may have been cancelled while its ports were opened.
    if ((call.state as FarCall["state"]) === "over") return;
    call.state = "talking";
    this.peer.reply(call.invite, 200, { toTag: call.tag, ...(sdp === undefined ? {} : { sdp }) });
    this.#speak(call);
    const { hangsUpAfterMs = null } = call.plan;
    if (hangsUpAfterMs !== null) this.#later(hangsUpAfterMs, () => this.hangUp(call));
  }

  #speak({ end, plan }: FarCall): void {
    if (end === null) return;
    end.heard.seek(end.heard.writtenPosition);
    if (plan.says !== undefined) end.say(plan.says);
    if (plan.presses !== undefined) end.leg.sendDtmf(plan.presses, 60);
  }

  #canceled(cancel: ReceivedRequest): void {
    const { callId, via } = cancel.essentials;
    const call = this.calls.get(callId);
    const isKnown = call !== undefined && branchOf(call.invite.essentials.via) === branchOf(via);
    if (!isKnown) return void this.peer.reply(cancel, 481, { toTag: "none" });
    this.peer.reply(cancel, 200, { toTag: call.tag });
    if (call.state !== "new" && call.state !== "ringing") return;
    call.state = "over";
    this.peer.reply(call.invite, 487, { toTag: call.tag, reason: "Request Terminated" });
  }

  #byeCame(bye: ReceivedRequest): void {
    const call = this.calls.get(bye.essentials.callId);
    const isLive = call?.state === "talking";
    if (isLive) call.state = "over";
    this.peer.reply(bye, isLive ? 200 : 481);
  }
}

function numberOf(invite: ReceivedRequest): string {
  const uri = parseUri(invite.uri);
  return uri?.scheme === "sip" ? decodeURIComponent(uri.user ?? "") : "";
}

function fail(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** The far end's answer to the offer of a call, with its audio set up accordingly. Without a thread it has none. */
async function describeFarAudio(call: FarCall, thread: MediaThread | null): Promise<string | undefined> {
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
