/** Longer than any link or tag that a model writes; beyond it, a bracket is just a bracket. */
const HELD_MAX = 300;

/**
 * Removes from the reply of a language model, as it arrives, what is made for the eye: markdown, list markers, emoji, tags and links. An
 * address on its own is shortened to its site. What may still become part of something longer is held back until it is known.
 */
export class ReplyCleaner {
  #held = "";
  #isLineStart = true;
  #isCode = false;

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
    return this.#clean(ready);
  }

  #clean(text: string): string {
    if (text === "") return "";
    const lines = text.split("\n");
    return lines
      .map((line, index) => {
        const isStart = index > 0 || this.#isLineStart;
        if (index === lines.length - 1) this.#isLineStart = line.trim() === "" && isStart;
        return this.#cleanLine(line, isStart);
      })
      .join("\n");
  }

  #cleanLine(line: string, isStart: boolean): string {
    if (isStart && /^\s*(?:```|~~~)/.test(line)) {
      this.#isCode = !this.#isCode;
      return "";
    }
    if (this.#isCode) return "";
    // A rule, or the line under the head of a table.
    if (isStart && /^\s*(?:[-*_=]\s*){3,}$|^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*$/.test(line)) return "";
    const body = isStart ? line.replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+•]\s+|\d{1,2}[.)]\s+)+/, "") : line;
    return withoutSigns(body);
  }
}

/** All of a reply at once. */
export function cleanReply(text: string): string {
  const cleaner = new ReplyCleaner();
  return cleaner.push(text) + cleaner.end();
}

/** Up to the last white space, but not within a link, a tag, or the marker at the beginning of a line. */
function releasable(text: string): number {
  const end = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n")) + 1;
  const ready = text.slice(0, end);
  const [marker] = /(?:^|\n)[^\S\n]*[#>*+•\d.)-]*[^\S\n]*$/.exec(ready) ?? [];
  const open = [
    /!?\[[^\]]*$/.exec(ready)?.index,
    /<\/?[a-z][^<>]*$/i.exec(ready)?.index,
    marker !== undefined && /[#>*+•\d-]/.test(marker) ? ready.length - marker.trimStart().length : undefined,
  ].filter((at) => at !== undefined && ready.length - at < HELD_MAX);
  return Math.min(end, ...(open as number[]));
}

const EMOJI =
  /(?:\p{Extended_Pictographic}|\p{Regional_Indicator})[\u{FE0E}\u{FE0F}\u{1F3FB}-\u{1F3FF}]*(?:\u{200D}\p{Extended_Pictographic}[\u{FE0F}\u{1F3FB}-\u{1F3FF}]*)*|[\u{FE0E}\u{FE0F}\u{20E3}\u{200D}]/gu;

function withoutSigns(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/g, "$1")
    .replace(/<(https?:\/\/[^<>\s]+)>/gi, "$1")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/\s?\((?:https?:\/\/|www\.)[^\s()]*\)/gi, "")
    .replace(
      /(?:https?:\/\/|www\.)([^\s/?#,;:!"'<>)\]]*[^\s/?#.,;:!"'<>)\]])[^\s<>)\]]*?(?=[.,;:!?]*(?:[\s)\]"'>]|$))/gi,
      site,
    )
    .replace(/(?<=^|[\s("'“‘])[*_~`]+(?=[^\s*_~`])/g, "")
    .replace(/(?<=[^\s*_~`])[*_~`]+(?=$|[\s.,!?;:)"'”’-])/g, "")
    .replace(/(?<=^|\s)\*(?=\s|$)/g, "times")
    .replace(/(?<=^|\s)[*_~`]+(?=\s|$)/g, "")
    .replace(/\s*\|\s*/g, ", ")
    .replace(EMOJI, "")
    .replace(/[^\S\n]{2,}/g, " ")
    .replace(/[^\S\n]+(?=[.,;:!?](?:\s|$))/g, "");
}

function site(_: string, host: string): string {
  return host.replace(/^www\./i, "");
}
