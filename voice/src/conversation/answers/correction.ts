/** What people say when what they said before was wrong. */
const MARKERS =
  /\b(?:no,? wait|wait,? no|i mean|i meant|scratch that|correction|or rather|make (?:that|it)|let's say|no,? sorry|sorry,? no|sorry|actually|rather|nope|no|not\b[^,.;]{1,30}(?:,|\bbut\b))[\s,.]+/gi;

/** What comes after the last correction in an utterance, or null when nothing was corrected. */
export function afterCorrection(text: string): string | null {
  const last = [...text.matchAll(MARKERS)].at(-1);
  if (last === undefined) return null;
  const rest = text.slice(last.index + last[0].length).trim();
  return rest === "" ? null : rest;
}

/** Whether an utterance begins by taking something back. */
export function beginsWithCorrection(text: string): boolean {
  const [first] = text.trim().matchAll(MARKERS);
  return first !== undefined && /^(?:um|uh|oh|er|well|ah)?[\s,]*$/i.test(text.trim().slice(0, first.index));
}
