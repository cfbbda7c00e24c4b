const STEPS = [1, 2, 2.5, 5, 10];

/** The top of a scale on which a value is read easily: the next of 1, 2, 2.5, 5 times a power of ten. */
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

/** A line through the values; where one is missing it is interrupted, and a lone value is a dot. */
export function linePath(values: readonly (number | null)[], width: number, height: number, top: number): string {
  const step = width / Math.max(1, values.length);
  let path = "";
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const x = ((index + 0.5) * step).toFixed(2);
    const y = (height - (height * Math.min(value, top)) / top).toFixed(2);
    const goesOn = (values[index - 1] ?? null) !== null;
    path += goesOn ? `L${x} ${y}` : `M${x} ${y}h0`;
  }
  return path;
}
