import type { TranscriptItem } from "@parley/contract/transcripts";
import { type Caption, heardSpeech, oneLine, SPEAKERS, toCaptions } from "./to-captions.ts";

/** What was heard, a line for each: for people. */
export function renderText(items: readonly TranscriptItem[]): string {
  return heardSpeech(items)
    .map(({ role, startMs, heardText, interrupted }) => {
      const clock = clockOf(startMs, ".").slice(0, 8).replace(/^00:/, "");
      return `[${clock}] ${SPEAKERS[role]}: ${oneLine(heardText)}${interrupted ? " ..." : ""}\n`;
    })
    .join("");
}

/** SubRip, as players take it: numbered captions with a comma before the milliseconds. */
export function renderSrt(items: readonly TranscriptItem[]): string {
  return toCaptions(items, withoutMarkup)
    .map(
      (caption, index) => `${index + 1}\n${timesOf(caption, ",")}\n${caption.speaker}: ${caption.lines.join("\n")}\n\n`,
    )
    .join("");
}

/** WebVTT with the speaker as a voice span (W3C WebVTT, section 3.1). */
export function renderVtt(items: readonly TranscriptItem[]): string {
  const cues = toCaptions(items).map((caption) => {
    const text = caption.lines.map(escapeCue).join("\n");
    return `${timesOf(caption, ".")}\n<v ${caption.speaker}>${text}</v>\n\n`;
  });
  return `WEBVTT\n\n${cues.join("")}`;
}

function timesOf({ startMs, endMs }: Caption, point: "." | ","): string {
  return `${clockOf(startMs, point)} --> ${clockOf(endMs, point)}`;
}

function clockOf(timeMs: number, point: "." | ","): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const seconds = timeMs / 1000;
  const millis = String(timeMs % 1000).padStart(3, "0");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}${point}${millis}`;
}

/** Players read angle and curly brackets as markup, and SubRip has no way to write them otherwise. */
function withoutMarkup(text: string): string {
  return oneLine(text.replaceAll(/[<>{}]/g, ""));
}

function escapeCue(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
