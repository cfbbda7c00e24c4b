import type { Hop } from "../sip/transport/sip-transport.ts";
import type { AttemptEnd } from "./attempt-end.ts";
import type { TrunkChoice } from "./choose-trunks.ts";
import { isMachineFailure } from "./may-fail-over.ts";
import type { Trunk } from "./trunk.ts";

export interface TrunkQueueParts {
  readonly choices: readonly TrunkChoice[];
  /** The machines of a trunk, best first. */
  readonly resolve: (trunk: Trunk) => Promise<readonly Hop[]>;
  /** Whether the trunk takes a call right now. */
  readonly admit: (trunkId: string) => boolean;
  /** The name of the trunk leads nowhere. */
  readonly onNoAddress: (trunkId: string) => void;
}

export interface NextTry {
  readonly choice: TrunkChoice;
  readonly hop: Hop;
}

/** More machines of one trunk are not tried: a callee waits. */
const HOPS_MAX = 3;

/** What is left to try for one dial, and in which order. */
export class TrunkQueue {
  readonly #parts: TrunkQueueParts;
  readonly #choices: TrunkChoice[];
  #current: TrunkChoice | null = null;
  #hops: Hop[] = [];
  #obstacle: string | null = null;

  constructor(parts: TrunkQueueParts) {
    this.#parts = parts;
    this.#choices = [...parts.choices];
  }

  /** Why the last trunk that was passed over was, in words. */
  get obstacle(): string | null {
    return this.#obstacle;
  }

  /** After a machine that failed the next one of its trunk; else the next trunk. Null when there is none. */
  async next(after: AttemptEnd | null): Promise<NextTry | null> {
    const another = after !== null && isMachineFailure(after) ? this.#hops.shift() : undefined;
    if (another !== undefined && this.#current !== null && this.#parts.admit(this.#current.trunk.id)) {
      return { choice: this.#current, hop: another };
    }
    for (let choice = this.#choices.shift(); choice !== undefined; choice = this.#choices.shift()) {
      if (!this.#parts.admit(choice.trunk.id)) {
        this.passOver("Every trunk for this number is out of order.");
        continue;
      }
      const [hop, ...others] = (await this.#parts.resolve(choice.trunk)).slice(0, HOPS_MAX);
      if (hop === undefined) {
        this.#parts.onNoAddress(choice.trunk.id);
        this.passOver(`No address was found for ${choice.trunk.sip.host}.`);
        continue;
      }
      this.#current = choice;
      this.#hops = others;
      return { choice, hop };
    }
    return null;
  }

  passOver(obstacle: string): void {
    this.#obstacle = obstacle;
    this.#hops = [];
  }
}
