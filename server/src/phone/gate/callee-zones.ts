import { timezones } from "libphonenumber-geo-carrier";
import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { LRUCache } from "lru-cache";

// The library reads its file again for every number.
const zonesByNumber = new LRUCache<string, readonly string[]>({ max: 10_000 });

/**
 * Every time zone in which the callee may be, as far as the number reveals it: of its area, else of its country. Empty
 * when nothing is known.
 */
export async function calleeZones(phoneNumber: string): Promise<readonly string[]> {
  const known = zonesByNumber.get(phoneNumber);
  if (known) return known;
  const parsed = parsePhoneNumberFromString(phoneNumber);
  const found = (await timezones(parsed)) ?? [];
  const ofArea = found.filter(isZone);
  const zones = ofArea.length > 0 ? ofArea : zonesOfCountry(parsed?.country);
  zonesByNumber.set(phoneNumber, zones);
  return zones;
}

function zonesOfCountry(country: CountryCode | undefined): readonly string[] {
  return country === undefined ? [] : (new Intl.Locale(`und-${country}`).getTimeZones() ?? []);
}

/** The data has `Etc/Unknown`, and may be older or newer than the zones that this Node knows. */
function isZone(name: string): boolean {
  if (name === "Etc/Unknown") return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

// Every representation of a call has it: when it is accepted, with each webhook, and in every list.
const countryByNumber = new LRUCache<string, { readonly country: CountryCode | null }>({ max: 10_000 });

/** ISO 3166; null for a number that belongs to no country, or where several share a code and it fits none. */
export function countryOf(phoneNumber: string): CountryCode | null {
  const known = countryByNumber.get(phoneNumber);
  if (known) return known.country;
  const country = parsePhoneNumberFromString(phoneNumber)?.country ?? null;
  countryByNumber.set(phoneNumber, { country });
  return country;
}
