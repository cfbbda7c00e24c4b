import type { TranscriptItem } from "@parley/contract/transcripts";

/** Which item is being heard at a moment: of those that have begun, the speech that began last. Null before any has. */
export function currentLine(items: readonly TranscriptItem[], positionMs: number): number | null {
  let current: number | null = null;
  for (const [index, item] of items.entries()) {
    if (item.startMs > positionMs) break;
    if (item.type === "speech") current = index;
  }
  return current;
}

/** Parts what an agent was to say into what was heard and what was not. */
export function partHeard(text: string, heardText: string): { readonly heard: string; readonly unheard: string } {
  if (text === heardText) return { heard: text, unheard: "" };
  if (text.startsWith(heardText)) return { heard: heardText, unheard: text.slice(heardText.length) };
  // Heard otherwise than written, as numbers are: what was heard counts.
  return { heard: heardText, unheard: "" };
}
