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
import { StreamMedia, type StreamSink } from "./stream-media.ts";
import type { StreamMessage } from "./stream-message.ts";
import type { CallReport, Refusal, StreamDialRecord, VendorCalls } from "./vendor-calls.ts";
import { isRefusal } from "./vendor-http.ts";

export interface StreamLegDeps {
  readonly clock: Clock;
  readonly calls: VendorCalls;
  readonly tick: AudioTick;
  readonly trunkId: string | null;
  /** A token for one stream of this leg. */
  readonly issueStreamToken: (leg: StreamLeg, validMs: number) => string;
  readonly reportError: (error: unknown) => void;
}

/** A stream as the leg uses it. */
export interface LegStream extends StreamSink {
  close(): void;
}

/**
 * The phases of a leg:
 *
 * - dialing: the request was sent. The call has no name until the vendor replies, calls back, opens the stream, or lists it.
 * - ringing: a phone rings.
 * - talking: the callee answered. The stream may connect a little later, or be gone during a transfer.
 * - ended.
 */
type Phase = "dialing" | "ringing" | "talking" | "ended";

const RING_DEFAULT_MS = 60_000;
/** Vendors open the stream right after the answer. */
const STREAM_WITHIN_MS = 10_000;
const STREAM_TOKEN_EXTRA_MS = 60_000;
/** After this long without a reply the call is also looked for. */
const REPLY_EXPECTED_MS = 4_000;
/** How long a call is looked for, in growing intervals, before its outcome counts as unknown. */
const LOOK_AFTER_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000];
/** Callbacks can be lost: while there is no stream, the vendor is asked. */
const ASK_EVERY_MS = 15_000;
/** After a request for a transfer whose reply was lost. */
const TRANSFER_SHOWS_WITHIN_MS = 5_000;
/** After the stream has ended, for the callback that says how. */
const FINAL_STATUS_WITHIN_MS = 2_000;
const END_TRIES_AFTER_MS = [0, 500, 1_500];
/** How long a hang-up waits for the name of a call that was just requested. */
const NAME_WITHIN_MS = 6_000;

/** One call at a vendor whose API places calls and whose streams carry their audio. */
export class StreamLeg implements CallLeg {
  readonly dialId: string;
  readonly #deps: StreamLegDeps;
  readonly #dial: Dial;
  readonly #events: LegEvents;
  readonly #memory = new LegMemory();
  /** From the answer on: a call that is not answered needs no audio memory. */
  #media: StreamMedia | null = null;
  readonly #ended = Promise.withResolvers<void>();
  readonly #named = Promise.withResolvers<string>();
  readonly #stopping = new AbortController();
  #record: StreamDialRecord;
  #phase: Phase = "dialing";
  #hasRung = false;
  #isHangingUp = false;
  #hangup: Promise<void> | null = null;
  #stream: LegStream | null = null;
  #hadStream = false;
  #transfer: TransferProgress["state"] | null = null;
  /** Commands that press keys, one after the other. */
  #keysSent: Promise<void> = Promise.resolve();
  #cancelTimers = new Set<() => void>();
  #stopTicking: (() => void) | null = null;

  constructor(deps: StreamLegDeps, dial: Dial, record: StreamDialRecord) {
    this.dialId = dial.dialId;
    this.#deps = deps;
    this.#dial = dial;
    this.#record = record;
    this.#events = new LegEvents(dial.dialId, deps.reportError);
  }

  get media(): LegMedia {
    return this.#memory.media;
  }

  get vendorCallId(): string | null {
    return this.#record.vendorCallId;
  }

  get isTransferring(): boolean {
    return this.#phase === "talking" && this.#transfer !== null;
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
    const { calls, reportError } = this.#deps;
    const { vendorCallId } = this.#record;
    if (this.#phase !== "talking") return;
    if (calls.sendKeys === undefined || vendorCallId === null) this.#media?.pressKeys(keys);
    else this.#keysSent = this.#keysSent.then(() => calls.sendKeys?.(vendorCallId, keys)).catch(reportError);
  }

  hangup(): Promise<void> {
    if (this.#phase !== "ended") this.#hangup ??= this.#hangUp();
    return this.#ended.promise;
  }

  /** The carrier closes and cannot wait. */
  giveUp(): void {
    this.#end(lost(`The end of the call was not confirmed by ${this.#vendor}.`));
  }

  /** Sends the one request that may ring the phone. The journal has it already. */
  create(): void {
    const { calls, issueStreamToken, reportError } = this.#deps;
    const { to, from, callbackToken } = this.#record;
    const ringMs = this.#dial.ringTimeoutMs ?? RING_DEFAULT_MS;
    const streamToken = issueStreamToken(this, ringMs + STREAM_TOKEN_EXTRA_MS);
    const ringTimeoutS = Math.max(1, Math.round(ringMs / 1_000));
    let isReplied = false;
    calls
      .create({ dialId: this.dialId, to, from, ringTimeoutS, callbackToken, streamToken })
      .then((outcome) => {
        isReplied = true;
        if (outcome.type === "created") this.learnName(outcome.vendorCallId);
        else if (outcome.type === "refused") this.#end(this.#isHangingUp ? canceledByUs() : outcome.end);
        else void this.#lookForCall(outcome.reason).catch(reportError);
      })
      .catch(reportError);
    this.#later(REPLY_EXPECTED_MS, () => {
      if (!isReplied) void this.#lookForCall(null).catch(reportError);
    });
    this.#later(ASK_EVERY_MS, () => this.#askRegularly());
    // The vendor stops ringing by itself; this is for one that does not say so.
    this.#later(ringMs + 2 * ASK_EVERY_MS, () => {
      if (this.#phase === "talking") return;
      void this.#giveUpOn(lost(`${this.#vendor} did not report what became of the call.`));
    });
  }

  /** The vendor named the call: in its reply, a callback, the stream or a listing. */
  learnName(vendorCallId: string): void {
    if (this.#record.vendorCallId !== null) return;
    this.#record = { ...this.#record, vendorCallId };
    this.#named.resolve(vendorCallId);
    this.#dial.journal?.commitAnswer(this.#attempt()).catch(this.#deps.reportError);
    // It was given up, and a phone rings nevertheless.
    if (this.#phase === "ended") void this.#endAtVendor(vendorCallId).catch(this.#deps.reportError);
  }

  /** Callbacks may come late, twice and in any order: a call only moves forward. */
  takeReport(report: CallReport): void {
    if (this.#phase === "ended") return;
    if (report.state === "ended") {
      this.#takeFinal(report);
      return;
    }
    if (this.#isHangingUp) return;
    if (report.state === "ringing" && this.#phase === "dialing") {
      this.#phase = "ringing";
      this.#hasRung = true;
      this.#events.emit({ type: "ringing" });
    }
    if (report.state === "answered") this.#answer();
  }

  /** A stream with a valid token of this leg. False if it is not wanted. */
  takeStream(stream: LegStream, { vendorCallId }: Extract<StreamMessage, { type: "start" }>): boolean {
    this.learnName(vendorCallId);
    if (this.#phase === "ended" || this.#isHangingUp || this.#record.vendorCallId !== vendorCallId) return false;
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
      // The vendors do not say how long it was held.
      this.#events.emit({ type: "dtmf", key: message.key, durationMs: DEFAULT_DTMF_PACE.keyMs });
    }
  }

  /** The stream ended: `stopped` says that the vendor announced it, as it does when the callee hangs up. */
  streamEnded(stream: LegStream, wasStopped: boolean): void {
    if (this.#stream !== stream) return;
    this.#stream = null;
    this.#media?.detach();
    if (this.#phase !== "talking" || this.#isHangingUp || this.#transfer !== null) return;
    const end = wasStopped ? hungUp("callee") : hungUp("network", "The media stream broke.");
    this.#later(FINAL_STATUS_WITHIN_MS, () => void this.#giveUpOn(end));
  }

  /** One at a time, by the vendor itself, which may take our stream away and bring it back if the other party does not answer. */
  transfer(request: TransferRequest): void {
    if (this.#phase !== "talking" || this.#isHangingUp) return;
    if (this.#transfer !== null) this.#reportTransfer("failed", 491, "Request Pending");
    else if (request.how === "bridge") {
      const reason = `${this.#vendor} trunks cannot bridge.`;
      this.#emitTransfer({ how: "bridge", state: "failed", code: 501, reason });
    } else void this.#requestTransfer(request).catch(this.#deps.reportError);
  }

  /** What became of the party that the callee is transferred to. */
  takePartyState(state: CallReport["state"]): void {
    if (!this.isTransferring) return;
    if (state === "ringing" && this.#transfer === "trying") this.#reportTransfer("ringing", 180, "Ringing");
    if (state !== "answered") return;
    this.#reportTransfer("completed", 200, "OK");
    // From here on the call belongs to the vendor and the two parties.
    this.#end(hungUp("callee", "Call Transferred"));
  }

  /** The other party was not reached: the callee is ours again. */
  failTransfer(code: number, reason: string): void {
    if (!this.isTransferring) return;
    this.#reportTransfer("failed", code, reason);
    if (this.#stream === null) this.#awaitStream();
  }

  /** For a stream that comes back. */
  issueStreamToken(): string {
    return this.#deps.issueStreamToken(this, STREAM_TOKEN_EXTRA_MS);
  }

  get #vendor(): string {
    return this.#deps.calls.vendor;
  }

  async #requestTransfer({ to, ringTimeoutMs, dialId }: TransferRequest): Promise<void> {
    const { vendorCallId, from, callbackToken } = this.#record;
    if (vendorCallId === null) return;
    this.#reportTransfer("trying", 100, "Trying");
    const ringTimeoutS = Math.max(1, Math.round(ringTimeoutMs / 1_000));
    let refusal: Refusal | null;
    try {
      refusal = await this.#deps.calls.transfer(vendorCallId, { to, from, ringTimeoutS, callbackToken, dialId });
    } catch (error) {
      refusal = { status: 503, message: error instanceof Error ? error.message : String(error) };
    }
    if (refusal === null) return;
    const { status, message } = refusal;
    if (isRefusal(status)) this.failTransfer(status, message);
    // It may have been accepted: then the vendor takes our stream away, or reports about the other party.
    else
      this.#later(TRANSFER_SHOWS_WITHIN_MS, () => {
        if (this.#transfer === "trying" && this.#stream !== null) this.failTransfer(status, message);
      });
  }

  #reportTransfer(state: TransferProgress["state"], code: number, reason: string): void {
    this.#transfer = state === "failed" || state === "completed" ? null : state;
    this.#emitTransfer({ how: "refer", state, code, reason });
  }

  #emitTransfer(progress: Omit<TransferProgress, "type">): void {
    this.#events.emit({ type: "transfer_progressed", ...progress });
  }

  #answer(): void {
    if (this.#phase !== "dialing" && this.#phase !== "ringing") return;
    this.#phase = "talking";
    this.#events.emit({ type: "answered" });
    const media = new StreamMedia({
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
      const never = `${this.#vendor} never opened the media stream.`;
      const reason = this.#hadStream ? "The media stream did not return." : never;
      void this.#giveUpOn({ type: "ended", cause: "media_timeout", code: null, reason, by: "network" });
    });
  }

  #takeFinal({ wasAnswered, by = "callee", unanswered }: Extract<CallReport, { state: "ended" }>): void {
    if (wasAnswered && this.#phase !== "talking" && !this.#isHangingUp) {
      // The callback of the answer was lost, or is late.
      this.#events.emit({ type: "answered" });
      this.#phase = "talking";
    }
    if (this.#isHangingUp) this.#end(this.#phase === "talking" ? hungUp("us") : canceledByUs());
    else if (this.#phase === "talking") this.#end(hungUp(by));
    else this.#end(unanswered(this.#hasRung));
  }

  #takeAlarm(alarm: MediaAlarm): void {
    if (alarm === "audio_missing") this.#events.emit({ type: "audio_missing" });
    else if (alarm === "audio_returned") this.#events.emit({ type: "audio_returned" });
    else {
      const reason = "No Audio Received";
      void this.#giveUpOn({ type: "ended", cause: "media_timeout", code: null, reason, by: "network" });
    }
  }

  /** The outcome of the request is unknown. It is never sent again: the call is looked for, while its callbacks may come any time. */
  async #lookForCall(reason: string | null): Promise<void> {
    const { clock, calls, reportError } = this.#deps;
    for (const afterMs of LOOK_AFTER_MS) {
      await pause(clock, afterMs, this.#stopping.signal);
      if (this.#record.vendorCallId !== null || this.#phase === "ended") return;
      try {
        const found = await calls.find(this.#record);
        if (found === null) continue;
        this.learnName(found.vendorCallId);
        this.takeReport(found.report);
        return;
      } catch (error) {
        reportError(error);
      }
    }
    if (reason === null || this.#record.vendorCallId !== null) return;
    this.#end(lost(`It is unknown whether ${this.#vendor} placed the call: ${reason}.`));
  }

  #askRegularly(): void {
    if (this.#stream === null) void this.#ask().catch(this.#deps.reportError);
    this.#later(ASK_EVERY_MS, () => this.#askRegularly());
  }

  async #ask(): Promise<void> {
    const { vendorCallId } = this.#record;
    if (vendorCallId === null) return;
    const report = await this.#deps.calls.fetch(vendorCallId);
    if (report !== null) this.takeReport(report);
  }

  /** Ends the call for a reason of our own, unless the vendor has a better one. */
  async #giveUpOn(end: LegEnd): Promise<void> {
    if (this.#phase === "ended" || this.#isHangingUp) return;
    this.#isHangingUp = true;
    const { vendorCallId } = this.#record;
    const isOver = vendorCallId === null || (await this.#endAtVendor(vendorCallId));
    this.#end(isOver ? end : lost(`${this.#vendor} did not confirm the end.`));
  }

  async #hangUp(): Promise<void> {
    const { clock } = this.#deps;
    this.#isHangingUp = true;
    const named = await waitFor(clock, NAME_WITHIN_MS, this.#named.promise, this.#stopping.signal);
    if (named.type !== "done")
      this.#end(lost(`It is unknown whether ${this.#vendor} placed the call, which was to be canceled.`));
    else if (await this.#endAtVendor(named.value)) this.#end(this.#phase === "talking" ? hungUp("us") : canceledByUs());
    else this.#end(lost(`${this.#vendor} did not confirm the end of the call.`));
  }

  async #endAtVendor(vendorCallId: string): Promise<boolean> {
    const { clock, calls, reportError } = this.#deps;
    for (const afterMs of END_TRIES_AFTER_MS) {
      await pause(clock, afterMs, this.#stopping.signal);
      try {
        if (await calls.end(vendorCallId)) return true;
      } catch (error) {
        reportError(error);
      }
    }
    return false;
  }

  #attempt(): DialAttempt {
    return { dialId: this.dialId, ordinal: 1, trunkId: this.#deps.trunkId, record: this.#record };
  }

  #end(end: LegEnd): void {
    if (this.#phase === "ended") return;
    this.#phase = "ended";
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers.clear();
    this.#stopTicking?.();
    this.#media?.close();
    this.#memory.close();
    this.#stream?.close();
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
