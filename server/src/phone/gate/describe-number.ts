import google from "google-libphonenumber";
import { type CountryCode, type NumberType, parsePhoneNumberFromString } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/metadata.max.json";

/** The type of a number according to the numbering plan. */
export interface NumberFacts {
  readonly isValid: boolean;
  readonly isEmergency: boolean;
  readonly kind: NumberKind;
  /** ISO 3166; null for numbers that belong to no country. */
  readonly country: CountryCode | null;
}

export const ALLOWED_KINDS = ["fixed_line", "mobile", "fixed_line_or_mobile", "voip", "toll_free", "company"] as const;
export const REFUSED_KINDS = ["premium_rate", "shared_cost", "satellite", "personal_number", "other"] as const;
type NumberKind = (typeof ALLOWED_KINDS)[number] | (typeof REFUSED_KINDS)[number];

const KINDS: Readonly<Record<Exclude<NumberType, undefined>, NumberKind>> = {
  FIXED_LINE: "fixed_line",
  MOBILE: "mobile",
  FIXED_LINE_OR_MOBILE: "fixed_line_or_mobile",
  VOIP: "voip",
  TOLL_FREE: "toll_free",
  UAN: "company",
  PREMIUM_RATE: "premium_rate",
  SHARED_COST: "shared_cost",
  PERSONAL_NUMBER: "personal_number",
  PAGER: "other",
  VOICEMAIL: "other",
};

// ITU-T E.164 assigns these calling codes to satellite and other international networks.
const SATELLITE_CODES = ["870", "878", "881", "882", "883", "888"];

export function describeNumber(phoneNumber: string): NumberFacts {
  const satellite = SATELLITE_CODES.find((code) => phoneNumber.startsWith(`+${code}`));
  const parsed = parsePhoneNumberFromString(phoneNumber);
  const isValid = parsed?.isValid() ?? false;
  const type = isValid ? parsed?.getType() : undefined;
  const kind = satellite ? "satellite" : type ? KINDS[type] : "other";
  return {
    isValid,
    isEmergency: reachesEmergency(phoneNumber, isValid),
    kind,
    country: parsed?.country ?? null,
  };
}

/**
 * Whether the digits after some country's code are an emergency number there, or begin with one and are no other number
 * of that country: exchanges connect such digits as soon as they have heard the beginning.
 */
function reachesEmergency(phoneNumber: string, isValid: boolean): boolean {
  const info = google.ShortNumberInfo.getInstance();
  return regionsOf(phoneNumber).some(({ digits, region }) =>
    [digits, digits.replace(/^0+/, "")].some(
      (dialed) =>
        info.isEmergencyNumber(dialed, region) || (!isValid && info.connectsToEmergencyNumber(dialed, region)),
    ),
  );
}

const CODE_DIGITS_MAX = 3;

function regionsOf(phoneNumber: string): { readonly digits: string; readonly region: CountryCode }[] {
  for (let length = 1; length <= CODE_DIGITS_MAX; length += 1) {
    const regions = metadata.country_calling_codes[phoneNumber.slice(1, 1 + length)];
    if (regions) return regions.map((region) => ({ digits: phoneNumber.slice(1 + length), region }));
  }
  return [];
}
