const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The top of a readable scale: the next of a few round numbers. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.find((candidate) => candidate * power >= value * (1 - 1e-9)) ?? 10;
  return Number((step * power).toPrecision(3));
}

/** Whether a chart has anything to show. */
export function hasValues(series: readonly { readonly values: readonly (number | null)[] }[]): boolean {
  return series.some(({ values }) => values.some((value) => value !== null && value > 0));
}

type Values = readonly (number | null)[];

/** A line through the values, interrupted where one is missing. */
export function linePath(values: Values, width: number, height: number, top: number): string {
  return place(values, width, height, top, (index) => (isThere(values, index - 1) ? "L" : "M"));
}

/** Dots for isolated values, which no line shows. */
export function dotPath(values: Values, width: number, height: number, top: number): string {
  const isAlone = (index: number) => !isThere(values, index - 1) && !isThere(values, index + 1);
  return place(values, width, height, top, (index) => (isAlone(index) ? "M" : null), "h0");
}

function isThere(values: Values, index: number): boolean {
  return (values[index] ?? null) !== null;
}

function place(
  values: Values,
  width: number,
  height: number,
  top: number,
  commandAt: (index: number) => "M" | "L" | null,
  after = "",
): string {
  const step = width / Math.max(1, values.length);
  let path = "";
  for (const [index, value] of values.entries()) {
    const command = value === null ? null : commandAt(index);
    if (value === null || command === null) continue;
    const x = ((index + 0.5) * step).toFixed(2);
    const y = (height - (height * Math.min(value, top)) / top).toFixed(2);
    path += `${command}${x} ${y}${after}`;
  }
  return path;
}
