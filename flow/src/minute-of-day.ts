/** Minutes since midnight of a time such as `09:30`, or null. */
export function parseMinute(text: string): number | null {
  const [, hour = "", minute = ""] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
  return hour === "" ? null : Number(hour) * 60 + Number(minute);
}

export function formatMinute(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
