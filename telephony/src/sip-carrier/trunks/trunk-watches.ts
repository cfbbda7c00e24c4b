import type { Clock } from "@parley/time/clock";
import type { PingResult } from "../../sip/options-ping.ts";
import type { RegistrationState } from "../../sip/registration.ts";
import type { SipTrunk } from "../../sip/sip-trunk.ts";
import type { UserAgent } from "../../sip/user-agent.ts";
import {
  admitCall,
  type CircuitState,
  CLOSED_CIRCUIT,
  circuitAt,
  recordOutcome,
  type TrunkOutcome,
} from "./circuit-breaker.ts";
import type { Trunk, TrunkDirectory } from "./trunk.ts";
import type { TrunkHealth } from "./trunk-health.ts";

export interface TrunkWatchesDeps extends Omit<TrunkDutiesDeps, "onPing" | "onRegistration"> {
  readonly clock: Clock;
  readonly onChange: (trunkId: string, health: TrunkHealth) => void;
}

interface Watched {
  isReachable: boolean | null;
  isRegistered: boolean | null;
  circuit: CircuitState;
  trouble: string | null;
  /** As last reported. */
  reported: string;
  /** Waits for an open circuit to half-open. */
  stopWaiting: () => void;
}

/** Tracks the health of each trunk: by pings, by registrations, and by the outcome of calls. */
export class TrunkWatches {
  readonly #deps: TrunkWatchesDeps;
  readonly #duties: TrunkDuties;
  readonly #watched = new Map<string, Watched>();
  #isClosed = false;

  constructor(deps: TrunkWatchesDeps) {
    this.#deps = deps;
    this.#duties = new TrunkDuties({
      ...deps,
      onPing: (trunkId, result) => this.#pinged(trunkId, result),
      onRegistration: (trunkId, state) => this.#registered(trunkId, state),
    });
  }

  /** Pings and registers as the directory says now, and forgets trunks that are not in it any more. */
  sync(directory: TrunkDirectory): void {
    this.#duties.sync(directory);
    const ids = new Set(directory.trunks.map(({ id }) => id));
    for (const [id, watched] of this.#watched) {
      if (!this.#duties.has("ping", id)) watched.isReachable = null;
      if (!this.#duties.has("register", id)) watched.isRegistered = null;
      if (ids.has(id)) continue;
      watched.stopWaiting();
      this.#watched.delete(id);
    }
  }

  health(trunkId: string): TrunkHealth {
    const watched = this.#watched.get(trunkId);
    if (watched === undefined) return { isReachable: null, isRegistered: null, circuit: "closed", trouble: null };
    const { isReachable, isRegistered, trouble } = watched;
    return { isReachable, isRegistered, circuit: circuitAt(watched.circuit, this.#deps.clock.now()).phase, trouble };
  }

  /** Whether a call may go out on it now. A half-open circuit takes the call as its one trial. */
  admit(trunkId: string): boolean {
    const watched = this.#of(trunkId);
    const admitted = admitCall(watched.circuit, this.#deps.clock.now());
    if (admitted === null) return false;
    watched.circuit = admitted;
    return true;
  }

  /** Records the outcome of a call on the trunk, with a description of the problem. */
  note(trunkId: string, decision: TrunkOutcome, trouble: string): void {
    const { clock } = this.#deps;
    const watched = this.#of(trunkId);
    watched.circuit = recordOutcome(watched.circuit, decision, clock.now());
    if (decision === "trouble") watched.trouble = trouble;
    watched.stopWaiting();
    if (watched.circuit.phase === "open" && !this.#isClosed) {
      const leftMs = watched.circuit.untilMs - clock.now();
      watched.stopWaiting = clock.setTimer(leftMs, () => this.#report(trunkId, watched));
    }
    this.#report(trunkId, watched);
  }

  /** Resolves when all trunks have confirmed the unregistration, or do not respond. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { stopWaiting } of this.#watched.values()) stopWaiting();
    await this.#duties.close();
  }

  #of(trunkId: string): Watched {
    const known = this.#watched.get(trunkId);
    if (known !== undefined) return known;
    const reported = JSON.stringify(this.health(trunkId));
    const stopWaiting = () => undefined;
    const state = { isReachable: null, isRegistered: null, circuit: CLOSED_CIRCUIT, trouble: null };
    const fresh: Watched = { ...state, reported, stopWaiting };
    this.#watched.set(trunkId, fresh);
    return fresh;
  }

  #pinged(trunkId: string, { isReachable, reason }: PingResult): void {
    const watched = this.#of(trunkId);
    watched.isReachable = isReachable;
    if (!isReachable) watched.trouble = `It does not answer when asked whether it is there: ${reason}.`;
    this.#report(trunkId, watched);
  }

  #registered(trunkId: string, state: RegistrationState): void {
    if (state.kind === "unregistered") return;
    const watched = this.#of(trunkId);
    watched.isRegistered = state.kind === "registered";
    if (state.kind === "failed") {
      const code = state.status === null ? "" : `${state.status} `;
      watched.trouble = `It does not let us register: ${code}${state.reason}.`;
    }
    this.#report(trunkId, watched);
  }

  #report(trunkId: string, watched: Watched): void {
    const health = this.health(trunkId);
    const text = JSON.stringify(health);
    if (text === watched.reported || this.#isClosed) return;
    watched.reported = text;
    this.#deps.onChange(trunkId, health);
  }
}

export interface TrunkDutiesDeps {
  readonly agent: Pick<UserAgent, "register" | "keepPinging">;
  /** The trunk as it finds us. */
  readonly addressed: (trunk: Trunk) => Promise<SipTrunk>;
  readonly onPing: (trunkId: string, result: PingResult) => void;
  readonly onRegistration: (trunkId: string, state: RegistrationState) => void;
  readonly reportError: (error: unknown) => void;
}

/** Something that is done for a trunk again and again. `key` is all it depends on: when that changes it starts afresh. */
interface Duty {
  readonly key: string;
  readonly stop: () => Promise<void>;
}

/** Frequent enough to keep an address translation binding open where nothing pings. */
const REGISTRATION_EXPIRES_S = 600;

/** Pings trunks and registers with them, as the directory says. */
export class TrunkDuties {
  readonly #deps: TrunkDutiesDeps;
  readonly #duties = new Map<string, Duty>();
  readonly #stopping = new Set<Promise<void>>();
  #isClosed = false;

  constructor(deps: TrunkDutiesDeps) {
    this.#deps = deps;
  }

  /** Starts the watches that the directory requires, and stops the others. */
  sync({ trunks }: TrunkDirectory): void {
    if (this.#isClosed) return;
    const wanted = new Set<string>();
    for (const trunk of trunks) {
      if (!trunk.isEnabled) continue;
      if (trunk.pingIntervalMs !== null) wanted.add(this.#keep("ping", trunk, trunk.pingIntervalMs));
      if (trunk.registersAs !== null) wanted.add(this.#keep("register", trunk, trunk.registersAs));
    }
    for (const [name, duty] of this.#duties) if (!wanted.has(name)) this.#end(name, duty);
  }

  /** Whether the trunk is pinged or registered with at all. */
  has(what: "ping" | "register", trunkId: string): boolean {
    return this.#duties.has(`${what} ${trunkId}`);
  }

  /** Unregisters from all trunks. Resolves when that was confirmed, or they do not respond. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [name, duty] of this.#duties) this.#end(name, duty);
    await Promise.all(this.#stopping);
  }

  #keep(what: "ping" | "register", trunk: Trunk, detail: number | string): string {
    const name = `${what} ${trunk.id}`;
    const key = JSON.stringify([trunk.sip, detail]);
    const known = this.#duties.get(name);
    if (known?.key === key) return name;
    if (known !== undefined) this.#end(name, known);
    const stop = what === "ping" ? this.#ping(trunk) : this.#register(trunk);
    this.#duties.set(name, { key, stop });
    return name;
  }

  #end(name: string, duty: Duty): void {
    this.#duties.delete(name);
    const stopped = duty.stop().catch(this.#deps.reportError);
    this.#stopping.add(stopped);
    stopped.then(() => this.#stopping.delete(stopped)).catch(this.#deps.reportError);
  }

  #ping(trunk: Trunk): () => Promise<void> {
    const { agent, onPing } = this.#deps;
    return this.#begin(trunk, (sip) => {
      const stop = agent.keepPinging(sip, trunk.pingIntervalMs ?? 0, (result) => onPing(trunk.id, result));
      return async () => stop();
    });
  }

  #register(trunk: Trunk): () => Promise<void> {
    const { agent, onRegistration } = this.#deps;
    return this.#begin(trunk, (sip) => {
      const onState = (state: RegistrationState) => onRegistration(trunk.id, state);
      const registration = agent.register(sip, trunk.registersAs ?? "", REGISTRATION_EXPIRES_S, onState);
      return () => registration.stop();
    });
  }

  /** Our own address may have to be found first; what is stopped meanwhile never begins. */
  #begin(trunk: Trunk, start: (sip: SipTrunk) => () => Promise<void>): () => Promise<void> {
    let isWanted = true;
    let stop: (() => Promise<void>) | null = null;
    this.#deps
      .addressed(trunk)
      .then((sip) => {
        if (isWanted) stop = start(sip);
      })
      .catch(this.#deps.reportError);
    return async () => {
      isWanted = false;
      await stop?.();
    };
  }
}
