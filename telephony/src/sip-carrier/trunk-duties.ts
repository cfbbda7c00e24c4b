import type { PingResult } from "../sip/options-ping.ts";
import type { RegistrationState } from "../sip/registration.ts";
import type { SipTrunk } from "../sip/sip-trunk.ts";
import type { UserAgent } from "../sip/user-agent.ts";
import type { Trunk, TrunkDirectory } from "./trunk.ts";

export interface TrunkDutiesParts {
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

/** Frequent enough for a way through address translation to stay open where nothing pings. */
const REGISTRATION_EXPIRES_S = 600;

/** Pings trunks and registers with them, as the directory says. */
export class TrunkDuties {
  readonly #parts: TrunkDutiesParts;
  readonly #duties = new Map<string, Duty>();
  readonly #stopping = new Set<Promise<void>>();
  #isClosed = false;

  constructor(parts: TrunkDutiesParts) {
    this.#parts = parts;
  }

  /** Starts what the directory says, and stops what it no longer says. */
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

  /** Says goodbye where we are registered. Resolves when that was heard, or nobody answers any more. */
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
    const stopped = duty.stop().catch(this.#parts.reportError);
    this.#stopping.add(stopped);
    stopped.then(() => this.#stopping.delete(stopped)).catch(this.#parts.reportError);
  }

  #ping(trunk: Trunk): () => Promise<void> {
    const { agent, onPing } = this.#parts;
    return this.#begin(trunk, (sip) => {
      const stop = agent.keepPinging(sip, trunk.pingIntervalMs ?? 0, (result) => onPing(trunk.id, result));
      return async () => stop();
    });
  }

  #register(trunk: Trunk): () => Promise<void> {
    const { agent, onRegistration } = this.#parts;
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
    this.#parts
      .addressed(trunk)
      .then((sip) => {
        if (isWanted) stop = start(sip);
      })
      .catch(this.#parts.reportError);
    return async () => {
      isWanted = false;
      await stop?.();
    };
  }
}
