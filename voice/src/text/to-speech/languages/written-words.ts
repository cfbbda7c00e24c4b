/** The words of a language for what is written in figures and signs. */
export interface WrittenWords {
  /** Whole numbers up to a billion, as they stand before the following word, if there is one: "veintiún euros", "vinte e duas horas". */
  cardinal(value: number, following?: string): string;
  /** Words that no number counts: before them it stands alone, as in "pulse uno para". */
  readonly uncounted?: ReadonlySet<string>;
  /** "1º", "2e": null if the number has no ordinal that is used. */
  ordinal(value: number, ending: string): string | null;
  readonly digits: readonly string[];
  /** Of months, from January. */
  readonly months: readonly string[];
  /** The day of a month, the month, and the year in words if there is one. */
  date(day: number, month: string, year: string | null): string;
  time(hour: number, minute: number): string;
  /** Singular, plural, and the hundredth part, by the sign or code. */
  readonly currencies: Readonly<Record<string, readonly [one: string, many: string]>>;
  /** An amount with its hundredths, such as "doce euros con cincuenta". */
  amount(whole: string, currency: string, hundredths: string | null): string;
  /** Units and the like after a number: singular and plural. */
  readonly units: Readonly<Record<string, readonly [one: string, many: string]>>;
  /** With their full stop. */
  readonly abbreviations: Readonly<Record<string, string>>;
  readonly words: {
    readonly point: string;
    readonly percent: string;
    readonly and: string;
    readonly at: string;
    readonly dot: string;
    readonly dash: string;
    readonly underscore: string;
    readonly plus: string;
    readonly minus: string;
    readonly equals: string;
    readonly slash: string;
    /** Between two times or numbers. */
    readonly to: string;
  };
  /** Whether groups of two digits in telephone numbers are said as one number. */
  readonly saysPairs?: boolean;
}

/** Splits a number into millions, thousands and the rest. */
export function groupsOf(value: number): {
  readonly millions: number;
  readonly thousands: number;
  readonly rest: number;
} {
  return { millions: Math.floor(value / 1_000_000), thousands: Math.floor(value / 1_000) % 1_000, rest: value % 1_000 };
}

/** Joins what is not empty. */
export function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

/** Names from one string. */
export function names(list: string): readonly string[] {
  return list.split(" ");
}
