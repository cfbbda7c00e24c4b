/** Longer than any link or tag that a model writes; beyond it, a bracket is just a bracket. */
const HELD_MAX = 300;

/** What precedes a link decides how it is said; this much of it is remembered. */
const BEFORE_MAX = 60;

/**
 * Removes from the reply of a language model, as it arrives, what is made for the eye: markdown, list markers, emoji, tags and links. The
 * address of a site is said as its name, a longer one as "the link" or not at all, because it cannot be remembered. What may still
 * become part of something longer is held back until it is known.
 */
export class ReplyCleaner {
  #held = "";
  #isLineStart = true;
  #isCode = false;
  /** The end of the current line as it was passed on. */
  #before = "";

  /** The words that can be spoken now. */
  push(text: string): string {
    this.#held += text;
    const end = releasable(this.#held);
    const ready = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return this.#clean(ready);
  }

  end(): string {
    const ready = this.#held;
    this.#held = "";
    return this.#clean(ready, true);
  }

  #clean(text: string, isEnd = false): string {
    if (text === "") return "";
    const lines = text.split("\n");
    return lines
      .map((line, index) => {
        const isLast = index === lines.length - 1;
        const isStart = index > 0 || this.#isLineStart;
        if (isLast) this.#isLineStart = line.trim() === "" && isStart;
        if (isStart) this.#before = "";
        const cleaned = this.#cleanLine(line, isStart, isEnd || !isLast);
        this.#before = (this.#before + cleaned).slice(-BEFORE_MAX);
        return cleaned;
      })
      .join("\n");
  }

  #cleanLine(line: string, isStart: boolean, isComplete: boolean): string {
    if (isStart && /^\s*(?:```|~~~)/.test(line)) {
      this.#isCode = !this.#isCode;
      return "";
    }
    if (this.#isCode) return "";
    // A rule, or the line under the head of a table.
    if (isStart && /^\s*(?:[-*_=]\s*){3,}$|^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*$/.test(line)) return "";
    const body = isStart ? line.replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+•]\s+|\d{1,2}[.)]\s+)+/, "") : line;
    // A link on a line of its own was written to be clicked.
    if (isStart && isComplete && ONLY_LINK.test(body)) return "";
    return withoutSigns(body, this.#before);
  }
}

/** All of a reply at once. */
export function cleanReply(text: string): string {
  const cleaner = new ReplyCleaner();
  return cleaner.push(text) + cleaner.end();
}

/** Up to the last white space, but not within a link, a tag, the marker at the beginning of a line, or between a colon and a link. */
function releasable(text: string): number {
  const end = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n")) + 1;
  const ready = text.slice(0, end);
  const [marker] = /(?:^|\n)[^\S\n]*[#>*+•\d.)-]*[^\S\n]*$/.exec(ready) ?? [];
  const open = [
    /!?\[[^\]]*$/.exec(ready)?.index,
    /<\/?[a-z][^<>]*$/i.exec(ready)?.index,
    /\S*:[^\S\n]+$/.exec(ready)?.index,
    marker !== undefined && /[#>*+•\d-]/.test(marker) ? ready.length - marker.trimStart().length : undefined,
  ].filter((at) => at !== undefined && ready.length - at < HELD_MAX);
  return Math.min(end, ...(open as number[]));
}

const EMOJI =
  /(?:\p{Extended_Pictographic}|\p{Regional_Indicator})[\u{FE0E}\u{FE0F}\u{1F3FB}-\u{1F3FF}]*(?:\u{200D}\p{Extended_Pictographic}[\u{FE0F}\u{1F3FB}-\u{1F3FF}]*)*|[\u{FE0E}\u{FE0F}\u{20E3}\u{200D}]/gu;

/** Where a link ends: before the punctuation of the sentence. */
const LINK_END = `(?=[.,;:!?]*(?:[\\s)\\]"'>]|$))`;
const HOST = `[^\\s/?#,;:!"'<>)\\]]*[^\\s/?#.,;:!"'<>)\\]]`;
const PATH = `(?::\\d+)?(?:[/?#][^\\s<>)\\]]*?)?`;
/** With "https" or "www", or a site that ends in one of the usual ways and has a path. */
const LINK = new RegExp(
  `(?:https?://|\\bwww\\.)(${HOST})(${PATH})${LINK_END}|(?<![@\\w.-])((?:[a-z0-9-]+\\.)+(?:com|net|org|gov|edu|io|co|uk|us|ca|au|de|fr|eu|ai|me|tv|app|dev|info|shop|ly|link))(/[^\\s<>)\\]]*?)${LINK_END}`,
  "gi",
);
const ONLY_LINK = /^\s*<?(?:https?:\/\/|www\.)[^\s<>]+>?\s*$/i;
/** After these the link was announced already: "Here is the link: ...". */
const ANNOUNCED =
  /\b(?:link|(?:web ?)?page|(?:web ?)?site|form|portal|url|address|here|below)(?: here)?\s*[:–—-]?\s*$/i;
/** "Our website is ...": something has to be named. */
const NAMING = /\b(?:is|are|was|called|named)\s*:?\s*$/i;
const DETERMINER = /\b(?:the|this|that|our|your|my|following)\s*:?\s*$/i;

function withoutSigns(text: string, before: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/g, "$1")
    .replace(/<(https?:\/\/[^<>\s]+)>/gi, "$1")
    .replace(/<(?:mailto:)?([^<>\s@]+@[^<>\s@]+)>/gi, "$1")
    .replace(/\bmailto:(?=[^\s@]+@)/gi, "")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/\s?\((?:https?:\/\/|www\.)[^\s()]*\)/gi, "")
    .replace(LINK, (...found) => {
      const [, host, path, plainHost, plainPath] = found as (string | undefined)[];
      const [offset, whole] = found.slice(-2) as [number, string];
      return linkWords(plainHost ?? host ?? "", plainPath ?? path ?? "", before + whole.slice(0, offset));
    })
    .replace(/(?<=^|[\s("'“‘])[*_~`]+(?=[^\s*_~`])/g, "")
    .replace(/(?<=[^\s*_~`])[*_~`]+(?=$|[\s.,!?;:)"'”’-])/g, "")
    .replace(/(?<=^|\s)\*(?=\s|$)/g, "times")
    .replace(/(?<=^|\s)[*_~`]+(?=\s|$)/g, "")
    .replace(/\s*\|\s*/g, ", ")
    .replace(EMOJI, "")
    .replace(/[^\S\n]{2,}/g, " ")
    .replace(/[^\S\n]+(?=[.,;:!?](?:\s|$))/g, "")
    .replace(/:(?=[.!?](?:\s|$))/g, "");
}

/** A link as a person says it: the name of a site, "the link", or nothing where it was announced. */
function linkWords(host: string, path: string, before: string): string {
  const site = host.replace(/^www\./i, "");
  if (/^\/?$/.test(path) || NAMING.test(before)) return site;
  if (ANNOUNCED.test(before)) return "";
  if (DETERMINER.test(before)) return "link";
  return /(?:^|[.!?]["'”’)]?\s+)[*_~`("'“]*$/.test(before) ? "The link" : "the link";
}
