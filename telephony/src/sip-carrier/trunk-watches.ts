import type { Clock } from "@parley/time/clock";
import type { PingResult } from "../sip/options-ping.ts";
import type { RegistrationState } from "../sip/registration.ts";
import {
  admitCall,
  type CircuitState,
  CLOSED_CIRCUIT,
  circuitAt,
  noteVerdict,
  type TrunkVerdict,
} from "./circuit-breaker.ts";
import type { TrunkDirectory } from "./trunk.ts";
import { TrunkDuties, type TrunkDutiesParts } from "./trunk-duties.ts";
import type { TrunkHealth } from "./trunk-health.ts";

export interface TrunkWatchesParts extends Omit<TrunkDutiesParts, "onPing" | "onRegistration"> {
  readonly clock: Clock;
  readonly onChange: (trunkId: string, health: TrunkHealth) => void;
}

interface Watched {
  isReachable: boolean | null;
  isRegistered: boolean | null;
  circuit: CircuitState;
  trouble: string | null;
  /** As it was last told. */
  told: string;
  /** Waits for an open circuit to half-open. */
  stopWaiting: () => void;
}

/** Knows how each trunk does: by asking it, by registering with it, and by what becomes of calls. */
export class TrunkWatches {
  readonly #parts: TrunkWatchesParts;
  readonly #duties: TrunkDuties;
  readonly #watched = new Map<string, Watched>();
  #isClosed = false;

  constructor(parts: TrunkWatchesParts) {
    this.#parts = parts;
    this.#duties = new TrunkDuties({
      ...parts,
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
    return { isReachable, isRegistered, circuit: circuitAt(watched.circuit, this.#parts.clock.now()).name, trouble };
  }

  /** Whether a call may go out on it now. A half-open circuit takes the call as its one trial. */
  admit(trunkId: string): boolean {
    const watched = this.#of(trunkId);
    const admitted = admitCall(watched.circuit, this.#parts.clock.now());
    if (admitted === null) return false;
    watched.circuit = admitted;
    return true;
  }

  /** What a call showed of the trunk, and in words what was wrong. */
  note(trunkId: string, verdict: TrunkVerdict, trouble: string): void {
    const { clock } = this.#parts;
    const watched = this.#of(trunkId);
    watched.circuit = noteVerdict(watched.circuit, verdict, clock.now());
    if (verdict === "trouble") watched.trouble = trouble;
    watched.stopWaiting();
    if (watched.circuit.name === "open" && !this.#isClosed) {
      const leftMs = watched.circuit.untilMs - clock.now();
      watched.stopWaiting = clock.setTimer(leftMs, () => this.#tell(trunkId, watched));
    }
    this.#tell(trunkId, watched);
  }

  /** Resolves when those who knew us know that we are gone, or nobody answers any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { stopWaiting } of this.#watched.values()) stopWaiting();
    await this.#duties.close();
  }

  #of(trunkId: string): Watched {
    const known = this.#watched.get(trunkId);
    if (known !== undefined) return known;
    const told = JSON.stringify(this.health(trunkId));
    const stopWaiting = () => undefined;
    const state = { isReachable: null, isRegistered: null, circuit: CLOSED_CIRCUIT, trouble: null };
    const fresh: Watched = { ...state, told, stopWaiting };
    this.#watched.set(trunkId, fresh);
    return fresh;
  }

  #pinged(trunkId: string, { isReachable, reason }: PingResult): void {
    const watched = this.#of(trunkId);
    watched.isReachable = isReachable;
    if (!isReachable) watched.trouble = `It does not answer when asked whether it is there: ${reason}.`;
    this.#tell(trunkId, watched);
  }

  #registered(trunkId: string, state: RegistrationState): void {
    if (state.kind === "unregistered") return;
    const watched = this.#of(trunkId);
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
