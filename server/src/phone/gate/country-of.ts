import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";

/** ISO 3166; null for a number that belongs to no country, or where several share a code and it fits none. */
export function countryOf(phoneNumber: string): CountryCode | null {
  return parsePhoneNumberFromString(phoneNumber)?.country ?? null;
}
