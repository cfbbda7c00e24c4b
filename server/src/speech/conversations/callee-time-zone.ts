import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** Where a country has several, the one in which most of its people live. */
const MOST_PEOPLE: Readonly<Record<string, string>> = {
  AR: "America/Argentina/Buenos_Aires",
  AU: "Australia/Sydney",
  BR: "America/Sao_Paulo",
  CA: "America/Toronto",
  CD: "Africa/Kinshasa",
  CL: "America/Santiago",
  CN: "Asia/Shanghai",
  DE: "Europe/Berlin",
  EC: "America/Guayaquil",
  ES: "Europe/Madrid",
  ID: "Asia/Jakarta",
  KZ: "Asia/Almaty",
  MX: "America/Mexico_City",
  MY: "Asia/Kuala_Lumpur",
  NZ: "Pacific/Auckland",
  PT: "Europe/Lisbon",
  RU: "Europe/Moscow",
  UA: "Europe/Kiev",
  US: "America/New_York",
  UZ: "Asia/Tashkent",
};

/**
 * The time zone by which "today" and "tomorrow" are meant, as far as a number tells: that of its country. In a country
 * with several it may be off by some hours, which matters around midnight only.
 */
export function calleeTimeZone(phoneNumber: string): string {
  const country = parsePhoneNumberFromString(phoneNumber)?.country;
  if (country === undefined) return "UTC";
  const known = MOST_PEOPLE[country];
  if (known !== undefined) return known;
  const [first = "UTC"] = new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
  return first;
}
