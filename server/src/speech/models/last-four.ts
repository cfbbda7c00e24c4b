/** Of a key shorter than this the last characters would tell too much. */
const CHARS_MIN = 16;

/** How a key ends, so that people can tell it from another; null for one too short to show any of it. */
export function lastFourOf(apiKey: string): string | null {
  return apiKey.length < CHARS_MIN ? null : apiKey.slice(-4);
}
