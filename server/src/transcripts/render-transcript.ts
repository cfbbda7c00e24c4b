import type { TranscriptItem } from "@parley/contract/transcripts";

type Speech = Extract<TranscriptItem, { type: "speech" }>;

const NAMES: Readonly<Record<Speech["role"], string>> = { callee: "Callee", agent: "Agent" };
/** A caption that is on the screen for less cannot be read. */
const CAPTION_MIN_MS = 500;

/** What was heard, a line for each: for people. */
export function renderText(items: readonly TranscriptItem[]): string {
  return captionsOf(items)
    .map(({ role, startMs, heardText, interrupted }) => {
      const clock = clockOf(startMs, ".").slice(0, 8).replace(/^00:/, "");
      return `[${clock}] ${NAMES[role]}: ${oneLine(heardText)}${interrupted ? " ..." : ""}\n`;
    })
    .join("");
}

/** SubRip, as players take it: numbered captions with a comma before the milliseconds. */
export function renderSrt(items: readonly TranscriptItem[]): string {
  return captionsOf(items)
    .map((caption, index) => {
      const { role, startMs, heardText } = caption;
      const times = `${clockOf(startMs, ",")} --> ${clockOf(endOf(caption), ",")}`;
      // Players read angle brackets as markup, and have no way to write them otherwise.
      return `${index + 1}\n${times}\n${NAMES[role]}: ${oneLine(heardText).replaceAll(/[<>{}]/g, "")}\n\n`;
    })
    .join("");
}

/** WebVTT with the speaker as a voice span (W3C WebVTT, section 3.1). */
export function renderVtt(items: readonly TranscriptItem[]): string {
  const cues = captionsOf(items).map((caption) => {
    const { role, startMs, heardText } = caption;
    const times = `${clockOf(startMs, ".")} --> ${clockOf(endOf(caption), ".")}`;
    return `${times}\n<v ${NAMES[role]}>${escapeCue(oneLine(heardText))}</v>\n\n`;
  });
  return `WEBVTT\n\n${cues.join("")}`;
}

function captionsOf(items: readonly TranscriptItem[]): Speech[] {
  return items.filter((item): item is Speech => item.type === "speech" && item.heardText.trim() !== "");
}

function endOf({ startMs, endMs }: Speech): number {
  return Math.max(endMs, startMs + CAPTION_MIN_MS);
}

function clockOf(timeMs: number, point: "." | ","): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const seconds = timeMs / 1000;
  const millis = String(timeMs % 1000).padStart(3, "0");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}${point}${millis}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function escapeCue(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
