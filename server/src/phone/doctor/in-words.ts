/** `0.4 s` below ten seconds, `12 s` above, `35 ms` where it is quicker than one notices. */
export function seconds(durationMs: number): string {
  if (durationMs < 100) return `${Math.round(durationMs)} ms`;
  if (durationMs < 10_000) return `${(durationMs / 1000).toFixed(1)} s`;
  return `${Math.round(durationMs / 1000)} s`;
}
