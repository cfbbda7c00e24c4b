import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { VendorTrunkKind } from "@parley/contract/trunks";
import type { Carrier } from "@parley/telephony/carrier";
import type { Clock } from "@parley/time/clock";
import type { VendorTrunk } from "../../trunks/to-carrier-trunk.ts";
import { twilioVendor } from "./twilio-vendor.ts";

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
  /** In the vendor's words; null if the credentials were refused. */
  readonly state: string | null;
  readonly isActive: boolean;
  /** Caller ids of the trunk that belong neither to the account nor to its verified numbers. */
  readonly foreignNumbers: readonly string[];
}

/** One vendor of phone calls. */
export interface Vendor {
  open(options: VendorCarrierOptions): VendorCarrier;
  /** Whether the vendor sent this request for a trunk. `url` is the one that the vendor was given. */
  isGenuine(trunk: VendorTrunk, url: string, request: Pick<VendorRequest, "headers" | "body">): boolean;
  /** Null where the callback names no call of ours. */
  readStray(options: Omit<VendorCarrierOptions, "publicUrl" | "onError">, request: VendorRequest): StrayCall | null;
  /** Changes nothing at the vendor. Rejects when it does not answer. */
  readAccount(options: Omit<VendorCarrierOptions, "publicUrl" | "onError">): Promise<VendorAccount>;
  /** The reply to a genuine callback of a call whose worker is gone. */
  readonly goneReply: VendorReply;
}

/** A further vendor is one entry here, beside its name and its rules in `contract/src/trunks.ts`. */
export const VENDORS: Readonly<Record<VendorTrunkKind, Vendor>> = { twilio: twilioVendor };

export function isVendorName(name: string): name is VendorTrunkKind {
  return Object.hasOwn(VENDORS, name);
}

/** The path of a carrier below the public URL of the installation. It names the worker that holds the calls. */
export function vendorPath(kind: VendorTrunkKind, workerId: string, trunkId: string): string {
  return `/carriers/${kind}/${workerId}/${trunkId}`;
}
