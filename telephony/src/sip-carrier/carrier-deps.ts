import type { Clock } from "@parley/time/clock";
import type { TransferRequest } from "../carrier.ts";
import type { RandomSource } from "../sip/random-source.ts";
import type { Hop } from "../sip/transport/sip-transport.ts";
import type { UserAgent } from "../sip/user-agent.ts";
import type { AudioDeps } from "./leg/leg-audio.ts";
import type { SipLeg } from "./leg/sip-leg.ts";
import type { AudioThread } from "./media-threads.ts";
import type { AttemptOutcome, SipCarrierObserver } from "./sip-carrier-options.ts";
import type { AddressedTrunk } from "./trunks/own-addresses.ts";
import type { Trunk, TrunkDirectory } from "./trunks/trunk.ts";
import type { TrunkWatches } from "./trunks/trunk-watches.ts";

/** What every leg of a carrier shares. */
export interface CarrierDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly agent: UserAgent;
  readonly audio: AudioDeps;
  readonly directory: () => TrunkDirectory;
  readonly watches: TrunkWatches;
  readonly observer: SipCarrierObserver;
  readonly addressTrunk: (trunk: Trunk, hop: Hop) => Promise<AddressedTrunk>;
  /** Places the second leg of a bridge, on the thread of the first. */
  readonly placeParty: (request: TransferRequest, from: string | null, thread: AudioThread) => Promise<SipLeg>;
  readonly attemptEnded: (outcome: AttemptOutcome) => void;
  readonly reportError: (error: unknown) => void;
}
