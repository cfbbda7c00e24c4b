import { DEFAULT_DTMF_PACE } from "@parley/audio/dtmf";
import type { Clock } from "@parley/time/clock";
import { pause, waitFor } from "@parley/time/within";
import type {
  CallLeg,
  Dial,
  DialAttempt,
  LegEnd,
  LegEvent,
  LegMedia,
  LegStatistics,
  TransferProgress,
  TransferRequest,
} from "../carrier.ts";
import { checkKeys, wrongKeyIn } from "../check-keys.ts";
import { canceledByUs, hungUp, lost } from "../leg-end.ts";
import { LegEvents } from "../leg-events.ts";
import { LegMemory } from "../leg-memory.ts";
import type { MediaAlarm } from "../rtp/media/media-watch.ts";
import type { AudioTick } from "../simulated-network/audio/audio-tick.ts";
import { refusedEnd, unansweredEnd } from "./call-end.ts";
import { type CallStatus, findCall, isFinal, type TwilioDialRecord } from "./find-call.ts";
import type { StreamMessage } from "./stream-protocol.ts";
import { type StreamSink, TwilioMedia } from "./twilio-media.ts";
import type { TwilioRest } from "./twilio-rest.ts";
import type { FormParameters } from "./twilio-signature.ts";
import { connectStreamTwiml, dialTwiml, HANG_UP_TWIML } from "./twiml.ts";

export interface TwilioLegDeps {
  readonly clock: Clock;
  readonly rest: TwilioRest;
  readonly tick: AudioTick;
  readonly trunkId: string | null;
  readonly streamUrl: string;
  /** Where Twilio reports about this call; the token is in it. */
  readonly callbackUrl: string;
  /** A token for one stream of this leg. */
  readonly issueStreamToken: (leg: TwilioLeg, validMs: number) => string;
  readonly reportError: (error: unknown) => void;
}

/** A stream as the leg uses it. */
export interface LegStream extends StreamSink {
  close(): void;
}

/**
 * The phases of a leg:
 *
 * - dialing: the request was sent. The call has no name until Twilio replies, calls back, opens the stream, or lists it.
 * - ringing: a phone rings.
 * - talking: the callee answered. The stream may connect a little later, or be gone during a transfer.
 * - ended.
 */
type Phase = "dialing" | "ringing" | "talking" | "ended";

const RING_DEFAULT_MS = 60_000;
/** Twilio opens the stream right after the answer. */
const STREAM_WITHIN_MS = 10_000;
const STREAM_TOKEN_EXTRA_MS = 60_000;
/** After this long without a reply the call is also looked for. */
const REPLY_EXPECTED_MS = 4_000;
/** How long a call is looked for, in growing intervals, before its fate counts as unknown. */
const LOOK_AFTER_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000];
/** Callbacks can be lost: while there is no stream, Twilio is asked. */
const ASK_EVERY_MS = 15_000;
/** After the stream has ended, for the callback that says how. */
const FINAL_STATUS_WITHIN_MS = 2_000;
const END_TRIES_AFTER_MS = [0, 500, 1_500];
/** How long a hang-up waits for the name of a call that was just requested. */
const NAME_WITHIN_MS = 6_000;

/** One call at Twilio. */
export class TwilioLeg implements CallLeg {
  readonly dialId: string;
  readonly #deps: TwilioLegDeps;
  readonly #dial: Dial;
  readonly #events: LegEvents;
  readonly #memory = new LegMemory();
  /** From the answer on: a call that is not answered needs no audio memory. */
  #media: TwilioMedia | null = null;
  readonly #ended = Promise.withResolvers<void>();
  readonly #named = Promise.withResolvers<string>();
  readonly #stopping = new AbortController();
  #record: TwilioDialRecord;
  #phase: Phase = "dialing";
  #hasRung = false;
  #isHangingUp = false;
  #hangup: Promise<void> | null = null;
  #stream: LegStream | null = null;
  #hadStream = false;
  #transfer: TransferProgress["state"] | null = null;
  #cancelTimers = new Set<() => void>();
  #stopTicking: (() => void) | null = null;

  constructor(deps: TwilioLegDeps, dial: Dial, record: TwilioDialRecord) {
    this.dialId = dial.dialId;
    this.#deps = deps;
    this.#dial = dial;
    this.#record = record;
    this.#events = new LegEvents(dial.dialId, deps.reportError);
  }

  get media(): LegMedia {
    return this.#memory.media;
  }

  get callSid(): string | null {
    return this.#record.callSid;
  }

  get hasEnded(): boolean {
    return this.#phase === "ended";
  }

  get whenEnded(): Promise<void> {
    return this.#ended.promise;
  }

  /** Everything before this position of the played stream was played at the far end. */
  get confirmedPosition(): number {
    return this.#media?.confirmedPosition ?? 0;
  }

  onEvent(listener: (event: LegEvent) => void): () => void {
    return this.#events.onEvent(listener);
  }

  async statistics(): Promise<LegStatistics | null> {
    return this.#media?.statistics() ?? null;
  }

  sendDtmf(keys: string): void {
    checkKeys(keys);
    if (this.#phase === "talking") this.#media?.pressKeys(keys);
  }

  hangup(): Promise<void> {
    if (this.#phase !== "ended") this.#hangup ??= this.#hangUp();
    return this.#ended.promise;
  }

  /** The carrier closes and cannot wait. */
  giveUp(): void {
    this.#end(lost("The end of the call was not confirmed by Twilio."));
  }

  /** Sends the one request that may ring the phone. The journal has it already. */
  create(): void {
    const { rest, streamUrl, callbackUrl, issueStreamToken, reportError } = this.#deps;
    const ringMs = this.#dial.ringTimeoutMs ?? RING_DEFAULT_MS;
    const token = issueStreamToken(this, ringMs + STREAM_TOKEN_EXTRA_MS);
    let isReplied = false;
    rest
      .createCall({
        to: this.#record.to,
        from: this.#record.from,
        twiml: connectStreamTwiml(streamUrl, token),
        statusUrl: callbackUrl,
        ringTimeoutS: Math.max(1, Math.round(ringMs / 1_000)),
      })
      .then((outcome) => {
        isReplied = true;
        if (outcome.type === "created") this.learnName(outcome.sid);
        else if (outcome.type === "refused") this.#end(this.#isHangingUp ? canceledByUs() : refusedEnd(outcome));
        else void this.#lookForCall(outcome.reason).catch(reportError);
      })
      .catch(reportError);
    this.#later(REPLY_EXPECTED_MS, () => {
      if (!isReplied) void this.#lookForCall(null).catch(reportError);
    });
    this.#later(ASK_EVERY_MS, () => this.#askRegularly());
    // Twilio stops ringing by itself; this is for a Twilio that does not say so.
    this.#later(ringMs + 2 * ASK_EVERY_MS, () => {
      if (this.#phase !== "talking") void this.#giveUpOn(lost("Twilio did not report what became of the call."));
    });
  }

  /** Twilio named the call: in its reply, a callback, the stream or a listing. */
  learnName(callSid: string): void {
    if (this.#record.callSid !== null) return;
    this.#record = { ...this.#record, callSid };
    this.#named.resolve(callSid);
    this.#dial.journal?.commitAnswer(this.#attempt()).catch(this.#deps.reportError);
    // It was given up, and a phone rings nevertheless.
    if (this.#phase === "ended") void this.#endAtTwilio(callSid).catch(this.#deps.reportError);
  }

  /** Callbacks may come late, twice and in any order: a call only moves forward. */
  takeStatus(status: CallStatus): void {
    if (this.#phase === "ended") return;
    if (isFinal(status.status)) {
      this.#takeFinal(status);
      return;
    }
    if (this.#isHangingUp) return;
    if (status.status === "ringing" && this.#phase === "dialing") {
      this.#phase = "ringing";
      this.#hasRung = true;
      this.#events.emit({ type: "ringing" });
    }
    if (status.status === "in-progress") this.#answer();
  }

  /** A stream with a valid token of this leg. False if it is not wanted. */
  takeStream(stream: LegStream, { callSid }: Extract<StreamMessage, { type: "start" }>): boolean {
    this.learnName(callSid);
    if (this.#phase === "ended" || this.#isHangingUp || this.#record.callSid !== callSid) return false;
    this.#answer();
    this.#hadStream = true;
    this.#stream?.close();
    this.#stream = stream;
    this.#media?.attach(stream);
    return true;
  }

  takeMessage(message: StreamMessage): void {
    if (message.type === "media") this.#media?.receive(message.timestampMs, message.payload);
    if (message.type === "mark") this.#media?.takeMark(message.name);
    if (message.type === "dtmf" && this.#phase === "talking" && wrongKeyIn(message.key) === undefined) {
      // Twilio does not say how long it was held.
      this.#events.emit({ type: "dtmf", key: message.key, durationMs: DEFAULT_DTMF_PACE.keyMs });
    }
  }

  /** The stream ended: `stopped` says that Twilio announced it, as it does when the callee hangs up. */
  streamEnded(stream: LegStream, wasStopped: boolean): void {
    if (this.#stream !== stream) return;
    this.#stream = null;
    this.#media?.detach();
    if (this.#phase !== "talking" || this.#isHangingUp || this.#transfer !== null) return;
    const end = wasStopped ? hungUp("callee") : hungUp("network", "The media stream broke.");
    this.#later(FINAL_STATUS_WITHIN_MS, () => void this.#giveUpOn(end));
  }

  /** One at a time, by Twilio itself: a `<Dial>` replaces our stream, which comes back if the other party does not answer. */
  transfer(request: TransferRequest): void {
    if (this.#phase !== "talking" || this.#isHangingUp) return;
    if (this.#transfer !== null) this.#reportTransfer("failed", 491, "Request Pending");
    else if (request.how === "bridge") {
      this.#emitTransfer({ how: "bridge", state: "failed", code: 501, reason: "Twilio trunks cannot bridge." });
    } else void this.#redirect(request).catch(this.#deps.reportError);
  }

  /** A status callback of the party that the callee is transferred to. */
  takePartyStatus({ status }: CallStatus): void {
    if (this.#transfer === null || this.#phase !== "talking") return;
    if (status === "ringing" && this.#transfer === "trying") this.#reportTransfer("ringing", 180, "Ringing");
    if (status !== "in-progress") return;
    this.#reportTransfer("completed", 200, "OK");
    // From here on the call belongs to Twilio and the two parties.
    this.#end(hungUp("callee", "Call Transferred"), true);
  }

  /** Twilio asks what to do after a `<Dial>`: back to us if nobody answered. */
  takeDialResult({ DialCallStatus }: FormParameters): string {
    const { issueStreamToken, streamUrl } = this.#deps;
    if (this.#phase !== "talking" || this.#transfer === null) return HANG_UP_TWIML;
    if (DialCallStatus === "completed" || DialCallStatus === "answered") {
      this.takePartyStatus({ status: "in-progress", sipCode: null });
      return HANG_UP_TWIML;
    }
    const [code, reason] = TRANSFER_FAILURES.get(DialCallStatus ?? "") ?? [503, "Service Unavailable"];
    this.#reportTransfer("failed", code, reason);
    this.#awaitStream();
    return connectStreamTwiml(streamUrl, issueStreamToken(this, STREAM_TOKEN_EXTRA_MS));
  }

  async #redirect({ to, ringTimeoutMs }: TransferRequest): Promise<void> {
    const { rest, callbackUrl } = this.#deps;
    const callSid = this.#record.callSid;
    if (callSid === null) return;
    this.#reportTransfer("trying", 100, "Trying");
    const twiml = dialTwiml({
      to,
      callerId: this.#record.from,
      timeoutS: Math.max(1, Math.round(ringTimeoutMs / 1_000)),
      actionUrl: `${callbackUrl}/dialed`,
      statusUrl: `${callbackUrl}/party`,
    });
    let refusal: { readonly status: number; readonly message: string } | null;
    try {
      refusal = await rest.redirectCall(callSid, twiml);
    } catch (error) {
      // It may have been accepted. The stream tells: it ends if it was, and its end is then handled like any other.
      refusal = { status: 503, message: error instanceof Error ? error.message : String(error) };
    }
    if (refusal === null || this.#transfer === null) return;
    this.#reportTransfer("failed", refusal.status, refusal.message);
    if (this.#stream === null) this.#awaitStream();
  }

  #reportTransfer(state: TransferProgress["state"], code: number, reason: string): void {
    this.#transfer = state === "failed" || state === "completed" ? null : state;
    this.#emitTransfer({ how: "refer", state, code, reason });
  }

  #emitTransfer(progress: Omit<TransferProgress, "type">): void {
    this.#events.emit({ type: "transferProgress", ...progress });
  }

  #answer(): void {
    if (this.#phase !== "dialing" && this.#phase !== "ringing") return;
    this.#phase = "talking";
    this.#events.emit({ type: "answered" });
    const media = new TwilioMedia({
      media: this.#memory.media,
      now: () => this.#deps.clock.now(),
      onAlarm: (alarm) => this.#takeAlarm(alarm),
      onReception: (event) => this.#events.emit(event),
    });
    this.#media = media;
    this.#stopTicking = this.#deps.tick.join({ tick: (dueMs) => media.tick(dueMs) });
    this.#awaitStream();
  }

  #awaitStream(): void {
    this.#later(STREAM_WITHIN_MS, () => {
      if (this.#stream !== null || this.#phase !== "talking" || this.#transfer !== null) return;
      const reason = this.#hadStream ? "The media stream did not return." : "Twilio never opened the media stream.";
      void this.#giveUpOn({ type: "ended", cause: "media_timeout", code: null, reason, by: "network" });
    });
  }

  #takeFinal(status: CallStatus): void {
    if (status.status === "completed" && this.#phase !== "talking" && !this.#isHangingUp) {
      // Only an answered call is completed: the callback of the answer was lost, or is late.
      this.#events.emit({ type: "answered" });
      this.#phase = "talking";
    }
    if (this.#isHangingUp) this.#end(this.#phase === "talking" ? hungUp("us") : canceledByUs());
    else if (this.#phase === "talking") this.#end(hungUp("callee"));
    else this.#end(unansweredEnd(status, this.#hasRung));
  }

  #takeAlarm(alarm: MediaAlarm): void {
    if (alarm === "audio_missing") this.#events.emit({ type: "audioMissing" });
    else if (alarm === "audio_returned") this.#events.emit({ type: "audioReturned" });
    else {
      const reason = "No Audio Received";
      void this.#giveUpOn({ type: "ended", cause: "media_timeout", code: null, reason, by: "network" });
    }
  }

  /** The fate of the request is unknown. It is never sent again: the call is looked for, while its callbacks may come any time. */
  async #lookForCall(reason: string | null): Promise<void> {
    const { clock, rest, reportError } = this.#deps;
    for (const afterMs of LOOK_AFTER_MS) {
      await pause(clock, afterMs, this.#stopping.signal);
      if (this.#record.callSid !== null || this.#phase === "ended") return;
      try {
        const found = await findCall(rest, this.#record);
        if (found === null) continue;
        this.learnName(found.sid);
        this.takeStatus({ status: found.status, sipCode: null });
        return;
      } catch (error) {
        reportError(error);
      }
    }
    if (reason === null || this.#record.callSid !== null) return;
    this.#end(lost(`It is unknown whether Twilio placed the call: ${reason}.`));
  }

  #askRegularly(): void {
    if (this.#stream === null) void this.#ask().catch(this.#deps.reportError);
    this.#later(ASK_EVERY_MS, () => this.#askRegularly());
  }

  async #ask(): Promise<ListedStatus | null> {
    const { callSid } = this.#record;
    if (callSid === null) return null;
    const call = await this.#deps.rest.fetchCall(callSid);
    if (call !== null) this.takeStatus({ status: call.status, sipCode: null });
    return call;
  }

  /** Ends the call for a reason of our own, unless Twilio has a better one. */
  async #giveUpOn(end: LegEnd): Promise<void> {
    if (this.#phase === "ended" || this.#isHangingUp) return;
    this.#isHangingUp = true;
    const { callSid } = this.#record;
    if (callSid !== null && !(await this.#endAtTwilio(callSid))) this.#end(lost("Twilio did not confirm the end."));
    else this.#end(end);
  }

  async #hangUp(): Promise<void> {
    const { clock } = this.#deps;
    this.#isHangingUp = true;
    const named = await waitFor(clock, NAME_WITHIN_MS, this.#named.promise, this.#stopping.signal);
    if (named.type !== "done")
      this.#end(lost("It is unknown whether Twilio placed the call, which was to be canceled."));
    else if (await this.#endAtTwilio(named.value)) this.#end(this.#phase === "talking" ? hungUp("us") : canceledByUs());
    else this.#end(lost("Twilio did not confirm the end of the call."));
  }

  async #endAtTwilio(callSid: string): Promise<boolean> {
    const { clock, rest, reportError } = this.#deps;
    for (const afterMs of END_TRIES_AFTER_MS) {
      await pause(clock, afterMs, this.#stopping.signal);
      try {
        if (await rest.endCall(callSid)) return true;
      } catch (error) {
        reportError(error);
      }
    }
    return false;
  }

  #attempt(): DialAttempt {
    return { dialId: this.dialId, ordinal: 1, trunkId: this.#deps.trunkId, record: this.#record };
  }

  #end(end: LegEnd, keepsCall = false): void {
    if (this.#phase === "ended") return;
    this.#phase = "ended";
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers.clear();
    this.#stopTicking?.();
    this.#media?.close();
    this.#memory.close();
    // Twilio hangs up when we close the stream, unless a `<Dial>` has replaced it.
    if (!keepsCall) this.#stream?.close();
    this.#stream = null;
    this.#stopping.abort();
    this.#dial.journal?.noteEnd(this.dialId, end);
    this.#events.emit(end);
    this.#ended.resolve();
  }

  #later(delayMs: number, fire: () => void): void {
    const cancel = this.#deps.clock.setTimer(delayMs, () => {
      this.#cancelTimers.delete(cancel);
      fire();
    });
    this.#cancelTimers.add(cancel);
  }
}

type ListedStatus = Awaited<ReturnType<TwilioRest["fetchCall"]>>;

const TRANSFER_FAILURES: ReadonlyMap<string, readonly [code: number, reason: string]> = new Map([
  ["busy", [486, "Busy Here"]],
  ["no-answer", [480, "Temporarily Unavailable"]],
  ["canceled", [487, "Request Terminated"]],
]);
