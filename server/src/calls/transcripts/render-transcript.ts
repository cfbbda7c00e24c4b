import type { TranscriptFormat, TranscriptItem } from "@parley/contract/transcripts";

/** Plain text with one line per utterance, for people. */
export function renderText(items: readonly TranscriptItem[]): string {
  return heardSpeech(items)
    .map(({ role, startMs, heardText, interrupted }) => {
      const clock = clockOf(startMs, ".").slice(0, 8).replace(/^00:/, "");
      return `[${clock}] ${SPEAKERS[role]}: ${oneLine(heardText)}${interrupted ? " ..." : ""}\n`;
    })
    .join("");
}

/** SubRip, as players accept it: numbered captions with a comma before the milliseconds. */
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

/** Players read angle and curly brackets as markup, and SubRip has no way to escape them. */
function withoutMarkup(text: string): string {
  return oneLine(text.replaceAll(/[<>{}]/g, ""));
}

function escapeCue(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

type Speech = Extract<TranscriptItem, { type: "speech" }>;

/** One caption: at most two lines by one speaker. */
interface Caption {
  readonly speaker: string;
  readonly lines: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
}

const SPEAKERS: Readonly<Record<Speech["role"], string>> = { callee: "Callee", agent: "Agent" };
/** A caption that is shown for less cannot be read. */
const CAPTION_MIN_MS = 500;
/** The limit of broadcasters: players cut off or shrink longer lines. */
const LINE_CHARACTERS_MAX = 42;
const LINES_MAX = 2;

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Everything that was heard, in its best recognition, in the order in which it began. */
function heardSpeech(items: readonly TranscriptItem[]): Speech[] {
  return items
    .filter((item) => item.type === "speech")
    .map((speech) => ({ ...speech, heardText: speech.revisedText ?? speech.heardText }))
    .filter(({ heardText }) => oneLine(heardText) !== "");
}

/**
 * Splits what was heard into captions that fit a screen. `clean` removes what the format cannot express. Where both
 * speak simultaneously their captions overlap, as their voices did.
 */
function toCaptions(items: readonly TranscriptItem[], clean: (text: string) => string = oneLine): Caption[] {
  return heardSpeech(items)
    .flatMap((speech) => captionsOf(speech, clean(speech.heardText)))
    .toSorted((one, other) => one.startMs - other.startMs);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function captionsOf({ role, startMs, endMs }: Speech, text: string): Caption[] {
  const speaker = SPEAKERS[role];
  // Some formats put the name before the first line of each caption, and it must fit there in all of them.
  const lines = wrap(text, LINE_CHARACTERS_MAX - `${speaker}: `.length);
  const screens = Array.from({ length: Math.ceil(lines.length / LINES_MAX) }, (_, index) =>
    lines.slice(index * LINES_MAX, (index + 1) * LINES_MAX),
  );
  // Only some engines give times for words; otherwise they are estimated from the number of characters.
  const total = lines.join("").length;
  let shown = 0;
  return screens.map((screen) => {
    const from = startMs + Math.round(((endMs - startMs) * shown) / total);
    shown += screen.join("").length;
    const to = startMs + Math.round(((endMs - startMs) * shown) / total);
    return { speaker, lines: screen, startMs: from, endMs: Math.max(to, from + CAPTION_MIN_MS) };
  });
}

function wrap(text: string, widthMax: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => cutLongWord(each, widthMax))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= widthMax || line === "") {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  if (line !== "") lines.push(line);
  return lines;
}

/** Some languages have no spaces, and some callers spell out addresses. */
function cutLongWord(word: string, widthMax: number): string[] {
  if (word.length <= widthMax) return [word];
  const parts: string[] = [];
  let part = "";
  for (const { segment } of letters.segment(word)) {
    if (part !== "" && part.length + segment.length > widthMax) {
      parts.push(part);
      part = "";
    }
    part += segment;
  }
  return part === "" ? parts : [...parts, part];
}

const FORMAT_BY_TYPE: ReadonlyMap<string, TranscriptFormat> = new Map([
  ["application/json", "json"],
  ["text/plain", "text"],
  ["application/x-subrip", "srt"],
  ["text/vtt", "vtt"],
]);

/** An explicit format comes first, then the first known type in `Accept`, otherwise JSON. */
export function chooseFormat(asked: TranscriptFormat | undefined, accept: string): TranscriptFormat {
  if (asked !== undefined) return asked;
  const known = typesIn(accept).find((type) => FORMAT_BY_TYPE.has(type) || type === "*/*" || type === "application/*");
  return FORMAT_BY_TYPE.get(known ?? "") ?? "json";
}

/** Whether the client wants to follow it live. */
export function asksForStream(accept: string): boolean {
  return typesIn(accept).includes("text/event-stream");
}

function typesIn(accept: string): string[] {
  return accept.split(",").map((part) => part.split(";")[0]?.trim().toLowerCase() ?? "");
}
