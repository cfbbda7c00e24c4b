import type { Clock } from "@parley/time/clock";
import type { CallLeg, LegEvent, LegMedia, LegStatistics, TransferRequest } from "../carrier.ts";
import { checkKeys } from "../check-keys.ts";
import { lost } from "../leg-end.ts";
import { LegEvents, type ListenerErrorReporter } from "../leg-events.ts";
import { LegMemory } from "../leg-memory.ts";
import { SOUND_BATCH_MS, SOUND_CUSHION_MS } from "./network-protocol.ts";
import type { PlainTransfer } from "./read-message.ts";
import { RemoteSound } from "./sound/remote-sound.ts";
import { decodeSound, encodeSound, type SoundPayload } from "./sound/sound-payload.ts";
import type { SoundTick } from "./sound/sound-tick.ts";

/** What can be asked of the far side of a leg. */
type FarRequest =
  | { readonly type: "hangup" }
  | { readonly type: "keys"; readonly keys: string }
  | { readonly type: "transfer"; readonly transfer: PlainTransfer }
  | ({ readonly type: "sound" } & SoundPayload);

export interface RemoteLegDeps {
  readonly dialId: string;
  readonly clock: Clock;
  /** Ticks the audio of all legs of a connection. */
  readonly tick: SoundTick;
  /** How long the network may take to confirm a hangup. */
  readonly patienceMs: number;
  readonly onListenerError: ListenerErrorReporter | undefined;
  readonly send: (request: FarRequest) => void;
  /** Null when the network does not say in time. */
  readonly askStatistics: () => Promise<LegStatistics | null>;
  readonly onEnded: () => void;
}

/** Our side of a leg that lives in another process. */
export class RemoteLeg implements CallLeg {
  readonly dialId: string;
  readonly #deps: RemoteLegDeps;
  readonly #events: LegEvents;
  readonly #memory = new LegMemory();
  readonly #ended = Promise.withResolvers<void>();
  #cancelPatience: (() => void) | null = null;
  #sound: RemoteSound | null = null;
  #stopTicking: (() => void) | null = null;
  #isAnswered = false;
  #lastStatistics: LegStatistics | null = null;

  constructor(deps: RemoteLegDeps) {
    this.dialId = deps.dialId;
    this.#deps = deps;
    this.#events = new LegEvents(deps.dialId, deps.onListenerError);
  }

  get media(): LegMedia {
    return this.#memory.media;
  }

  onEvent(listener: (event: LegEvent) => void): () => void {
    return this.#events.onEvent(listener);
  }

  hangup(): Promise<void> {
    if (!this.#events.hasEnded && this.#cancelPatience === null) {
      const giveUp = () => this.report(lost("The simulated network did not confirm the hangup in time."));
      this.#cancelPatience = this.#deps.clock.setTimer(this.#deps.patienceMs, giveUp);
      this.#deps.send({ type: "hangup" });
    }
    return this.#ended.promise;
  }

  sendDtmf(keys: string): void {
    checkKeys(keys);
    if (!this.#isAnswered || this.#events.hasEnded || keys === "") return;
    this.#sound?.sendDtmf(keys);
    this.#deps.send({ type: "keys", keys });
  }

  transfer({ to, how, dialId, ringTimeoutMs }: TransferRequest): void {
    if (!this.#isAnswered || this.#events.hasEnded) return;
    this.#deps.send({ type: "transfer", transfer: { to, how, dialId, ringTimeoutMs } });
  }

  async statistics(): Promise<LegStatistics | null> {
    if (this.#events.hasEnded) return this.#lastStatistics;
    const asked = await this.#deps.askStatistics();
    // The leg may have ended meanwhile, and the network has forgotten it.
    return asked ?? this.#lastStatistics;
  }

  takeSound(of: "heard" | "played", payload: SoundPayload): void {
    this.#sound?.take(of, decodeSound(payload));
  }

  report(event: LegEvent, statistics: LegStatistics | null = null): void {
    if (this.#events.hasEnded) return;
    this.#follow(event);
    this.#events.emit(event);
    if (event.type !== "ended") return;
    this.#lastStatistics = statistics;
    this.#stopTicking?.();
    this.#memory.close();
    this.#cancelPatience?.();
    this.#deps.onEnded();
    this.#ended.resolve();
  }

  #follow(event: LegEvent): void {
    if (event.type === "earlyMedia") this.#startSound();
    if (event.type === "answered") {
      this.#isAnswered = true;
      this.#sound?.answer();
    }
    if (event.type === "transferProgress" && event.how === "bridge" && event.state === "completed") {
      this.#sound?.bridge();
    }
  }

  #startSound(): void {
    const { tick, send } = this.#deps;
    if (this.#sound !== null) return;
    const sound = new RemoteSound({
      media: this.media,
      batchMs: SOUND_BATCH_MS,
      cushionMs: SOUND_CUSHION_MS,
      send: (batch) => send({ type: "sound", ...encodeSound(batch) }),
    });
    this.#sound = sound;
    this.#stopTicking = tick.join(sound);
  }
}
