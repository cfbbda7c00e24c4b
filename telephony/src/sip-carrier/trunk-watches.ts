import type { Clock } from "../clock.ts";
import type { PingResult } from "../sip/options-ping.ts";
import type { Registration, RegistrationState } from "../sip/registration.ts";
import type { SipTrunk } from "../sip/sip-trunk.ts";
import type { UserAgent } from "../sip/user-agent.ts";
import {
  admitCall,
  type CircuitState,
  CLOSED_CIRCUIT,
  circuitAt,
  noteVerdict,
  type TrunkVerdict,
} from "./circuit-breaker.ts";
import type { Trunk, TrunkDirectory } from "./trunk.ts";
import type { TrunkHealth } from "./trunk-health.ts";

export interface TrunkWatchesParts {
  readonly clock: Clock;
  readonly agent: Pick<UserAgent, "register" | "keepPinging">;
  /** The trunk as it finds us. */
  readonly addressed: (trunk: Trunk) => Promise<SipTrunk>;
  readonly onChange: (trunkId: string, health: TrunkHealth) => void;
  readonly reportError: (error: unknown) => void;
}

/** Short enough for a way through address translation to stay open between two of them where nothing pings. */
const REGISTRATION_EXPIRES_S = 600;

interface Watched {
  isReachable: boolean | null;
  isRegistered: boolean | null;
  circuit: CircuitState;
  trouble: string | null;
  /** What is being done for the trunk, by what it depends on: a change of that starts it afresh. */
  pinging: Duty | null;
  registering: Duty | null;
  /** As it was last told. */
  told: string;
  cancelTimer: () => void;
}

interface Duty {
  readonly key: string;
  stop: () => Promise<void>;
}

const NOTHING = () => undefined;

/** Knows how each trunk does: by asking it, by registering with it, and by what becomes of calls. */
export class TrunkWatches {
  readonly #parts: TrunkWatchesParts;
  readonly #watched = new Map<string, Watched>();
  readonly #stopping = new Set<Promise<void>>();
  #isClosed = false;

  constructor(parts: TrunkWatchesParts) {
    this.#parts = parts;
  }

  /** Pings and registers as the directory says now, and stops what it no longer says. */
  sync({ trunks }: TrunkDirectory): void {
    if (this.#isClosed) return;
    const enabled = new Map(trunks.filter(({ isEnabled }) => isEnabled).map((trunk) => [trunk.id, trunk]));
    for (const [id, watched] of this.#watched) {
      if (enabled.has(id)) continue;
      this.#end(watched);
      this.#watched.delete(id);
    }
    for (const trunk of enabled.values()) {
      const watched = this.#of(trunk.id);
      watched.pinging = this.#renew(watched.pinging, pingKey(trunk), () => this.#ping(trunk));
      watched.registering = this.#renew(watched.registering, registerKey(trunk), () => this.#register(trunk));
      if (watched.pinging === null) watched.isReachable = null;
      if (watched.registering === null) watched.isRegistered = null;
    }
  }

  health(trunkId: string): TrunkHealth {
    const watched = this.#watched.get(trunkId);
    if (watched === undefined) return { isReachable: null, isRegistered: null, circuit: "closed", trouble: null };
    const { isReachable, isRegistered, trouble } = watched;
    return { isReachable, isRegistered, circuit: circuitAt(watched.circuit, this.#parts.clock.now()).name, trouble };
  }

  /** Whether a call may go out on it now. A half-open circuit counts the call as its one trial. */
  admit(trunkId: string): boolean {
    const watched = this.#of(trunkId);
    const admitted = admitCall(watched.circuit, this.#parts.clock.now());
    if (admitted === null) return false;
    watched.circuit = admitted;
    this.#tell(trunkId, watched);
    return true;
  }

  /** What a call showed of the trunk. */
  note(trunkId: string, verdict: TrunkVerdict, trouble: string): void {
    const { clock } = this.#parts;
    const watched = this.#of(trunkId);
    watched.circuit = noteVerdict(watched.circuit, verdict, clock.now());
    if (verdict === "trouble") watched.trouble = trouble;
    watched.cancelTimer();
    if (watched.circuit.name === "open" && !this.#isClosed) {
      const leftMs = watched.circuit.untilMs - clock.now();
      watched.cancelTimer = clock.setTimer(leftMs, () => this.#tell(trunkId, watched));
    }
    this.#tell(trunkId, watched);
  }

  /** Says goodbye where we are registered. Resolves when that was heard, or nobody answers any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const watched of this.#watched.values()) this.#end(watched);
    await Promise.all(this.#stopping);
  }

  #of(trunkId: string): Watched {
    const known = this.#watched.get(trunkId);
    if (known !== undefined) return known;
    const fresh: Watched = {
      isReachable: null,
      isRegistered: null,
      circuit: CLOSED_CIRCUIT,
      trouble: null,
      pinging: null,
      registering: null,
      told: "",
      cancelTimer: NOTHING,
    };
    this.#watched.set(trunkId, fresh);
    fresh.told = JSON.stringify(this.health(trunkId));
    return fresh;
  }

  #renew(duty: Duty | null, key: string | null, start: () => () => Promise<void>): Duty | null {
    if (duty?.key === key) return duty;
    if (duty !== null) this.#stop(duty);
    return key === null ? null : { key, stop: start() };
  }

  #end(watched: Watched): void {
    watched.cancelTimer();
    for (const duty of [watched.pinging, watched.registering]) if (duty !== null) this.#stop(duty);
    watched.pinging = null;
    watched.registering = null;
  }

  #stop(duty: Duty): void {
    const stopped = duty.stop().catch(this.#parts.reportError);
    this.#stopping.add(stopped);
    stopped.finally(() => this.#stopping.delete(stopped)).catch(this.#parts.reportError);
  }

  #ping(trunk: Trunk): () => Promise<void> {
    return this.#begin(trunk, (sip) => {
      const stop = this.#parts.agent.keepPinging(sip, trunk.pingIntervalMs ?? 0, (result) =>
        this.#pinged(trunk.id, result),
      );
      return async () => stop();
    });
  }

  #register(trunk: Trunk): () => Promise<void> {
    return this.#begin(trunk, (sip) => {
      const user = trunk.registersAs ?? "";
      const onState = (state: RegistrationState) => this.#registered(trunk.id, state);
      const registration: Registration = this.#parts.agent.register(sip, user, REGISTRATION_EXPIRES_S, onState);
      return () => registration.stop();
    });
  }

  /** Our own address may have to be found first; who stops meanwhile never begins. */
  #begin(trunk: Trunk, start: (sip: SipTrunk) => () => Promise<void>): () => Promise<void> {
    let isWanted = true;
    let stop: (() => Promise<void>) | null = null;
    this.#parts
      .addressed(trunk)
      .then((sip) => {
        if (isWanted && !this.#isClosed) stop = start(sip);
      })
      .catch(this.#parts.reportError);
    return async () => {
      isWanted = false;
      await stop?.();
    };
  }

  #pinged(trunkId: string, { isReachable, reason }: PingResult): void {
    const watched = this.#watched.get(trunkId);
    if (watched === undefined) return;
    watched.isReachable = isReachable;
    if (!isReachable) watched.trouble = `It does not answer when asked whether it is there: ${reason}.`;
    this.#tell(trunkId, watched);
  }

  #registered(trunkId: string, state: RegistrationState): void {
    const watched = this.#watched.get(trunkId);
    if (watched === undefined) return;
    watched.isRegistered = state.kind === "registered";
    if (state.kind === "failed") {
      const code = state.status === null ? "" : `${state.status} `;
      watched.trouble = `It does not let us register: ${code}${state.reason}.`;
    }
    this.#tell(trunkId, watched);
  }

  #tell(trunkId: string, watched: Watched): void {
    const health = this.health(trunkId);
    const text = JSON.stringify(health);
    if (text === watched.told || this.#isClosed) return;
    watched.told = text;
    this.#parts.onChange(trunkId, health);
  }
}

function pingKey({ sip, pingIntervalMs }: Trunk): string | null {
  return pingIntervalMs === null ? null : JSON.stringify([sip, pingIntervalMs]);
}

function registerKey({ sip, registersAs }: Trunk): string | null {
  return registersAs === null ? null : JSON.stringify([sip, registersAs]);
}
