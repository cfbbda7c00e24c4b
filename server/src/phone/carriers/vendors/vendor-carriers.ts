import type { VendorTrunkKind } from "@parley/contract/trunks";
import { telnyxVendor } from "./telnyx-vendor.ts";
import { twilioVendor } from "./twilio-vendor.ts";
import type { Vendor } from "./vendor.ts";

/** A further vendor is one entry here, beside its name and its rules in `contract/src/trunks.ts`. */
export const VENDORS: Readonly<Record<VendorTrunkKind, Vendor>> = { twilio: twilioVendor, telnyx: telnyxVendor };

export function isVendorName(name: string): name is VendorTrunkKind {
  return Object.hasOwn(VENDORS, name);
}

/** The path of a carrier below the public URL of the installation. It names the worker that holds the calls. */
export function vendorPath(kind: VendorTrunkKind, workerId: string, trunkId: string): string {
  return `/carriers/${kind}/${workerId}/${trunkId}`;
}
