/** A moment as a field for date and time wants it: in the reader's own time zone, to the minute. */
export function localMinute(atMs: number): string {
  const offsetMs = new Date(atMs).getTimezoneOffset() * 60_000;
  return new Date(atMs - offsetMs).toISOString().slice(0, 16);
}
