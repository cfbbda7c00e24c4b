import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
import type { CallLeg, Dial, LegEvent, LegStatistics, TransferRequest } from "../../carrier.ts";
import { checkKeys } from "../../check-keys.ts";
import { LegEvents } from "../../leg-events.ts";
import { LegMemory } from "../../leg-memory.ts";
import type { MediaEvent } from "../../rtp/media/media-leg.ts";
import type { HeaderLine } from "../../sip/message/message.ts";
import { escapeUser } from "../../sip/message/uri.ts";
import { trunkUri } from "../../sip/sip-trunk.ts";
import type { CarrierDeps } from "../carrier-deps.ts";
import type { AudioThread } from "../media-threads.ts";
import { writeDialedNumber } from "../trunks/write-number.ts";
import { Dialing } from "./dialing.ts";
import { type LegAudio, openLegAudio } from "./leg-audio.ts";
import { type LegEffect, type LegInput, NEW_LEG, stepLeg } from "./leg-machine.ts";
import { LegTransfers } from "./leg-transfers.ts";
import type { SentAttempt } from "./start-attempt.ts";

/** One leg, over any number of trunks: the machine decides, this executes. */
export class SipLeg implements CallLeg {
  readonly dialId: string;
  readonly #memory = new LegMemory();
  readonly media = this.#memory.media;
  readonly #deps: CarrierDeps;
  readonly #dial: Dial;
  readonly #events: LegEvents;
  readonly #releases: ReleaseStack;
  readonly #transfers: LegTransfers<SipLeg>;
  readonly #unwanted = new AbortController();
  readonly #isPressedOnce = createPressedOnce();
  readonly #sent = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #state = NEW_LEG;
  #dialing: Dialing | null = null;
  #audio: LegAudio | null = null;
  #stopPatience: () => void = () => undefined;

  constructor(deps: CarrierDeps, dial: Dial) {
    const { clock, reportError } = deps;
    this.dialId = dial.dialId;
    this.#deps = deps;
    this.#dial = dial;
    this.#events = new LegEvents(dial.dialId, reportError);
    this.#releases = new ReleaseStack(clock, reportError);
    this.#releases.add(() => this.#memory.close());
    this.#transfers = new LegTransfers<SipLeg>({
      report: (progress) => this.#events.emit(progress),
      refer: (to) => referTo(this.#dialing?.current ?? null, to),
      placeParty: (request) => this.#placeParty(request),
      join: (party) => this.#join(party),
      endLeg: (reason) => this.#input({ type: "done", reason }),
      reportError,
    });
  }

  /** Resolves when the leg is over and all its resources are released. */
  get whenEnded(): Promise<void> {
    return this.#ended.promise;
  }

  /**
   * Dials, with its audio on this thread. Resolves when the first request was sent, or when there will be none; rejects
   * when something failed before that.
   */
  start(thread: AudioThread): Promise<void> {
    this.#begin(thread).catch((error: unknown) => {
      this.#sent.reject(error);
      this.#input({ type: "audio_lost", reason: error instanceof Error ? error.message : String(error) });
    });
    return this.#sent.promise;
  }

  onEvent(listener: (event: LegEvent) => void): () => void {
    return this.#events.onEvent(listener);
  }

  hangup(): Promise<void> {
    this.#input({ type: "hangup_asked" });
    return this.#ended.promise;
  }

  /** Ends the leg regardless of the network. */
  giveUp(): void {
    this.#input({ type: "patience_over" });
  }

  sendDtmf(keys: string): void {
    checkKeys(keys);
    if (this.#state.phase === "talking") this.#audio?.sendDtmf(keys);
  }

  transfer(request: TransferRequest): void {
    this.#transfers.ask(request, this.#state.phase === "talking");
  }

  async statistics(): Promise<LegStatistics | null> {
    const measured = (await this.#audio?.statistics()) ?? null;
    if (measured === null) return null;
    const { packetsSent, packetsReceived, packetsLost, jitterMs, roundTripMs, isHeard, mos } = measured;
    return { packetsSent, packetsReceived, packetsLost, jitterMs, roundTripMs, isHeard, mos };
  }

  async #begin(thread: AudioThread): Promise<void> {
    const { audio: audioParts, random } = this.#deps;
    const audio = await openLegAudio(audioParts, {
      thread,
      memory: this.media,
      cname: random.hex(8),
      onEvent: (event) => this.#hear(event),
      onFailure: (reason) => this.#input({ type: "audio_lost", reason }),
    });
    this.#audio = audio;
    this.#releases.add(() => this.#closeAudio(audio));
    if (this.#unwanted.signal.aborted) return;
    this.#dialing = new Dialing({
      carrier: this.#deps,
      dial: this.#dial,
      rtpPort: audio.rtpPort,
      signal: this.#unwanted.signal,
      onInput: (input) => this.#input(input),
      onTerms: (terms, isFinal) => audio.configure(terms, isFinal),
      onCallEvent: (event) => {
        if (event.type === "transfer") this.#transfers.progress(event);
        else this.#hearKey("info", readRelayedKey(event.contentType, event.body));
      },
    });
    await this.#dialing.tryNext(null);
  }

  #input(input: LegInput): void {
    const before = this.#state.phase;
    const [next, effects] = stepLeg(this.#state, input);
    this.#state = next;
    if (input.type === "sent") this.#sent.resolve();
    const isOver = next.phase === "ending" || next.phase === "closing";
    if (isOver && next.phase !== before) this.#transfers.legEnded();
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: LegEffect): void {
    const { clock, reportError } = this.#deps;
    switch (effect.do) {
      case "report":
        this.#events.emit(effect.event);
        if (effect.event.type !== "ended") return;
        this.#sent.resolve();
        this.#ended.resolve();
        return;
      case "try_next":
        this.#dialing?.tryNext(effect.after).catch(reportError);
        return;
      case "hang_up":
        this.#stopPatience = clock.setTimer(effect.patienceMs, () => this.giveUp());
        return this.#dialing?.hangUp(effect.reason);
      case "abandon":
        return this.#dialing?.abandon();
      case "note_end":
        return this.#dialing?.noteEnd(effect.end);
      case "release":
        this.#stopPatience();
        this.#unwanted.abort();
        this.#releases
          .run()
          .then(() => this.#input({ type: "released" }))
          .catch(reportError);
    }
  }

  #hear(event: MediaEvent): void {
    if (this.#state.phase !== "talking") return;
    if (event.type === "dtmf") this.#hearKey("audio", event);
    else if (event.type === "audio_missing") this.#events.emit({ type: "audio_missing" });
    else if (event.type === "audio_returned") this.#events.emit({ type: "audio_returned" });
    else if (event.type === "not_heard") {
      this.#events.emit({ type: "not_heard", wasHeard: event.wasHeard, forMs: event.forMs });
    } else if (event.type === "heard_again") this.#events.emit({ type: "heard_again" });
    else if (event.type === "media_timed_out") this.#input({ type: "audio_timed_out" });
  }

  #hearKey(way: KeyWay, pressed: { readonly key: string; readonly durationMs: number } | null): void {
    if (pressed === null || this.#state.phase !== "talking") return;
    if (!this.#isPressedOnce(way, pressed.key, this.#deps.clock.now())) return;
    this.#events.emit({ type: "dtmf", key: pressed.key, durationMs: pressed.durationMs });
  }

  async #closeAudio(audio: LegAudio): Promise<void> {
    await audio.close();
    const bad = await audio.badPackets();
    if (bad !== null) this.#deps.observer.refused?.("bad_media", bad, null);
  }

  #placeParty(request: TransferRequest): Promise<SipLeg> {
    const thread = this.#audio?.thread;
    if (thread === undefined) return Promise.reject(new Error("There is no audio to connect with."));
    return this.#deps.placeParty(request, this.#dial.from, thread);
  }

  #join(party: SipLeg): void {
    if (this.#audio !== null && party.#audio !== null) this.#audio.join(party.#audio);
  }
}

/** A key that was pressed at the far end and reported by SIP INFO. */
export interface RelayedKey {
  readonly key: string;
  readonly durationMs: number;
}

const DURATION_DEFAULT_MS = 250;
const DURATION_MAX_MS = 5_000;

/**
 * Reads  Signal=5 / Duration=160  (application/dtmf-relay) or a lone  5  (application/dtmf). Neither has an RFC; gateways
 * that know no telephone events use them. Null for everything else.
 */
export function readRelayedKey(contentType: string, body: Buffer): RelayedKey | null {
  const text = body.toString("latin1");
  if (/^application\/dtmf-relay\b/i.test(contentType)) {
    const signal = /^\s*Signal\s*=\s*(\S+)\s*$/im.exec(text)?.[1];
    const durationMs = Number(/^\s*Duration\s*=\s*(\d{1,5})\s*$/im.exec(text)?.[1] ?? DURATION_DEFAULT_MS);
    return keyOf(signal ?? "", durationMs);
  }
  return /^application\/dtmf\b/i.test(contentType) ? keyOf(text.trim(), DURATION_DEFAULT_MS) : null;
}

/** Some write the event number of RFC 4733 instead of the sign: 10 for the star and 11 for the hash. */
function keyOf(signal: string, durationMs: number): RelayedKey | null {
  const sign = signal === "10" ? "*" : signal === "11" ? "#" : signal.toUpperCase();
  if (!/^[0-9*#A-D]$/.test(sign)) return null;
  return { key: sign, durationMs: Math.min(DURATION_MAX_MS, Math.max(1, durationMs)) };
}

/** How a key press reached us: with the audio (RFC 4733 events or tones), or by SIP INFO. */
export type KeyWay = "audio" | "info";

interface Press {
  readonly way: KeyWay;
  readonly key: string;
  readonly atMs: number;
}

/** RTP reports a key when it is released and an INFO may arrive when it is pressed; keys are rarely held for longer. */
const TWIN_WITHIN_MS = 2_000;
/** More keys than can be pressed in that time. */
const PRESSES_MAX = 32;

/**
 * Some gateways send every key both ways. Of two equal keys received in different ways, close together, only the first
 * counts; two of the same way are two presses.
 */
export function createPressedOnce(): (way: KeyWay, key: string, nowMs: number) => boolean {
  let unpaired: Press[] = [];
  return (way, key, nowMs) => {
    unpaired = unpaired.filter(({ atMs }) => nowMs - atMs <= TWIN_WITHIN_MS).slice(1 - PRESSES_MAX);
    const twin = unpaired.findIndex((press) => press.way !== way && press.key === key);
    if (twin >= 0) unpaired.splice(twin, 1);
    else unpaired.push({ way, key, atMs: nowMs });
    return twin < 0;
  };
}

/** Asks the trunk of a call to connect its callee with a number (RFC 3515), and says who asks (RFC 3892). */
function referTo(attempt: SentAttempt | null, number: string): void {
  if (attempt === null) return;
  const { choice, sip, record, client } = attempt;
  const target = trunkUri(sip, escapeUser(writeDialedNumber(choice.trunk, number)));
  const isAnonymous = record.localAddress.includes("anonymous.invalid");
  const headers: readonly HeaderLine[] = isAnonymous ? [] : [["Referred-By", record.localAddress]];
  client.refer(target, headers);
}

/** The time limit of each release; one that hangs does not block the others. */
const RELEASE_MAX_MS = 2_500;

/** Releases what was acquired, in reverse order and once. */
export class ReleaseStack {
  readonly #clock: Clock;
  readonly #reportError: (error: unknown) => void;
  readonly #releases: (() => void | Promise<void>)[] = [];
  #running: Promise<void> | null = null;

  constructor(clock: Clock, reportError: (error: unknown) => void) {
    this.#clock = clock;
    this.#reportError = reportError;
  }

  /** A resource added after the release is released immediately. */
  add(release: () => void | Promise<void>): void {
    this.#releases.push(release);
    if (this.#running !== null) this.#running = this.#running.then(() => this.#runAll());
  }

  /** Resolves when everything is released or timed out. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    for (let release = this.#releases.pop(); release !== undefined; release = this.#releases.pop()) {
      try {
        const released = release();
        if (released !== undefined) await waitFor(this.#clock, RELEASE_MAX_MS, released);
      } catch (error) {
        this.#reportError(error);
      }
    }
  }
}
