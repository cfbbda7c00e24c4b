import { type AppError, invalidField } from "@parley/contract/errors";
import { isVendorKind, type TrunkKind, VENDOR_TRUNKS, type VendorTrunkKind } from "@parley/contract/trunks";

/** The settings that say how vendors and this installation reach each other. */
export interface ReachSettings {
  readonly publicUrl: string | null;
  /** Where the APIs of vendors are; null for the vendor's own host. */
  readonly vendorUrls: Readonly<Record<VendorTrunkKind, string | null>>;
}

/** Why a trunk of this kind cannot work with these settings; null if it can. */
export function explainUnreachable(kind: TrunkKind, { publicUrl, vendorUrls }: ReachSettings): string | null {
  if (!isVendorKind(kind)) return null;
  const what = `the https address at which ${VENDOR_TRUNKS[kind].label} reaches this installation`;
  if (publicUrl === null) return `needs the setting PARLEY_PUBLIC_URL, ${what}`;
  // Vendors open streams over TLS only. A stand-in for one need not.
  if (!publicUrl.startsWith("https:") && vendorUrls[kind] === null)
    return `needs a PARLEY_PUBLIC_URL that begins with https:, ${what}`;
  return null;
}

/** Throws for a kind of trunk that cannot work with these settings. */
export function refuseUnreachable(kind: TrunkKind, settings: ReachSettings): void {
  const reason = explainUnreachable(kind, settings);
  if (reason !== null) throw unreachable(kind, reason);
}

function unreachable(kind: TrunkKind, reason: string): AppError {
  return invalidField("kind", "public_url_missing", `kind ${kind} ${reason}.`);
}
