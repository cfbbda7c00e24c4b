import type { CountryCode } from "libphonenumber-js/max";

/** What a minute costs in a band, in micro-USD. */
export interface BandPrices {
  readonly fixedMicros: bigint;
  readonly mobileMicros: bigint;
}

interface Band extends BandPrices {
  /** ISO 3166 codes. */
  readonly regions: string;
}

/**
 * What a new installation charges for a minute to each region of the world's numbering plan. The regions are those that
 * libphonenumber knows. The prices are nobody's offer: each band is a round figure of the order that carriers ask for such
 * destinations, a little above it, so that an operator who changes nothing does not lose money on ordinary calls. An
 * operator puts the real prices of a trunk in place of them with `rates set`.
 */
const BANDS: readonly Band[] = [
  // Large markets in which it hardly matters what kind of line it is.
  { fixedMicros: 20_000n, mobileMicros: 20_000n, regions: "US CA PR CN HK IN KR SG TH" },
  // Markets with regulated or low termination fees.
  {
    fixedMicros: 20_000n,
    mobileMicros: 35_000n,
    regions:
      "AR AT AU AX BE BR CL CO CY CZ DE DK ES FI FR GB GR HR HU IE IL IT LU MT MX MY NL NO NZ PE PL PT RO SE SI SJ SK TW VA",
  },
  {
    fixedMicros: 35_000n,
    mobileMicros: 60_000n,
    regions: "BG CH CR EE GU ID IS JP KZ LI LT LV MO MP PA PY SA TR UA UY UZ VE VI VN ZA BN CW DO GP MQ RE GF",
  },
  {
    fixedMicros: 60_000n,
    mobileMicros: 120_000n,
    regions:
      "AD AE AS BD BH BM BO CX CC EC EG GE GG GH GI GT IM IQ JE JO KG KH KW LA MC MD MN NG NP NI OM PH PK RU SM SV",
  },
  {
    fixedMicros: 120_000n,
    mobileMicros: 200_000n,
    regions:
      "AI AG AM AO AW AZ BA BB BL BQ BS BW BZ BY DM DZ FO GD GY HN HT JM KE KN KY LB LC LK MA EH ME MF MK MS MU MW MZ NA PM QA RS SR SX SY SZ TC TJ TM TT TZ UG VC VG XK YE YT ZM",
  },
  {
    fixedMicros: 200_000n,
    mobileMicros: 300_000n,
    regions: "AF AL BT CD CG CI CM CV ET FJ GL IR LR LS LY MM NC NE PF PS RW SD SN SS TG ZW",
  },
  {
    fixedMicros: 350_000n,
    mobileMicros: 450_000n,
    regions: "BF BI BJ CF DJ ER FM GA GM GN GQ GW KM MG ML MR MV MH PW SC SL SO ST TD TL TN TO WS",
  },
  // Above what the gate lets through unless an operator says otherwise: few honest calls go there, and much fraud.
  { fixedMicros: 800_000n, mobileMicros: 900_000n, regions: "CU CK IO KI KP NF NR NU PG SB TK TV VU WF" },
  { fixedMicros: 1_500_000n, mobileMicros: 1_500_000n, regions: "AC FK SH TA" },
];

/** The prices of a region; null for one that the bands do not know yet. */
export function pricesOfRegion(region: CountryCode): BandPrices | null {
  return BANDS.find(({ regions }) => regions.split(" ").includes(region)) ?? null;
}
