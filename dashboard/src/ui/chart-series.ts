export interface Series {
  readonly name: string;
  readonly tone: "accent" | "soft";
  /** One for each moment; null where nothing was measured. */
  readonly values: readonly (number | null)[];
}

/** Values over time, however they are shown. */
export interface ChartData {
  /** What the values belong to, such as days. */
  readonly moments: readonly string[];
  readonly momentsName: string;
  readonly series: readonly Series[];
  format(value: number): string;
}

/** A value as it is read; a dash where nothing was measured. */
export function inText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}
