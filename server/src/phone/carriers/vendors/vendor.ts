import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Carrier } from "@parley/telephony/carrier";
import type { Clock } from "@parley/time/clock";
import type { Vouch } from "../../../calls/live/listening/internal-token.ts";
import type { VendorTrunk } from "../../trunks/to-carrier-trunk.ts";

/** A request of a vendor to the public URL of a carrier: a callback. */
export interface VendorRequest {
  /** Below the public URL of the carrier. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface VendorReply {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
}

/** A carrier over one account of a vendor. It is called by the vendor, at a URL of its own. */
export interface VendorCarrier extends Carrier {
  /** Verifies the request itself. A request about no call of this carrier is refused and changes nothing. */
  handleRequest(request: VendorRequest): VendorReply;
  /** Takes a WebSocket for audio, or ends the connection. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

interface VendorCarrierOptions {
  readonly clock: Clock;
  /** As it is now; asked again for each use, because secrets are replaced. */
  readonly trunk: () => VendorTrunk;
  /** Where the vendor reaches this carrier and no other. */
  readonly publicUrl: string;
  /** Where the vendor's API is; null for the vendor's own host. */
  readonly apiUrl: string | null;
  /** For vendors that do not sign the requests for their streams. */
  readonly vouch: Vouch;
  readonly onError: (error: unknown) => void;
}

/** What a callback says about a call whose worker is gone. */
interface StrayCall {
  /** Identifies the attempt in the journal, by a field of its record. */
  readonly recordKey: string;
  readonly recordValue: string;
  /** What the record is completed with, so that any worker can end the call. */
  readonly named: Readonly<Record<string, string>>;
  readonly isOver: boolean;
  /** Ends the call at the vendor. */
  end(): Promise<void>;
}

/** What a vendor says about the account of a trunk. */
export interface VendorAccount {
  readonly areCredentialsRight: boolean;
  /** Why no calls can be placed, as the rest of a sentence; null if they can. */
  readonly obstacle: string | null;
  /** Caller ids of the trunk that belong neither to the account nor to its verified numbers. */
  readonly foreignNumbers: readonly string[];
}

/** Where a request claims to belong, and what it is verified with. */
interface VendorClaim {
  readonly trunk: VendorTrunk;
  /** The public URL of the carrier, and the path below it. */
  readonly carrierUrl: string;
  readonly path: string;
  readonly isStream: boolean;
  readonly vouch: Vouch;
  readonly nowMs: number;
}

/** What requests to a vendor need. */
type VendorAccess = Pick<VendorCarrierOptions, "clock" | "trunk" | "apiUrl">;

/** One vendor of phone calls. */
export interface Vendor {
  open(options: VendorCarrierOptions): VendorCarrier;
  /** Whether the vendor sent this request for a trunk. */
  isGenuine(claim: VendorClaim, request: Pick<VendorRequest, "headers" | "body">): boolean;
  /** Null where the callback names no call that this installation placed. */
  readStray(access: VendorAccess, request: VendorRequest): StrayCall | null;
  /** Changes nothing at the vendor. Rejects when it does not answer. */
  readAccount(access: VendorAccess): Promise<VendorAccount>;
  /** The reply to a genuine callback of a call whose worker is gone. */
  readonly goneReply: VendorReply;
}

/** A trunk may have a thousand numbers, and each takes two requests. */
const NUMBERS_READ_MAX = 20;

/** Those of the first numbers that calls may not show. */
export async function findForeignNumbers(
  numbers: readonly string[],
  mayShow: (number: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const foreign: string[] = [];
  for (const number of numbers.slice(0, NUMBERS_READ_MAX)) if (!(await mayShow(number))) foreign.push(number);
  return foreign;
}
