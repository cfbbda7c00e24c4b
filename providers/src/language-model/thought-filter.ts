/** Removes the thoughts that some models write before a reply. */
export interface ThoughtFilter {
  /** The part of this piece to be said. */
  pass(piece: string): string;
  /** What was held back in doubt, once the reply is over. */
  end(): string;
}

const OPENING = "<think>";
const CLOSING = "</think>";

/**
 * Self-hosted models may write their thoughts into the text, between `<think>` and `</think>` at its very beginning.
 * They must not be spoken.
 */
export function createThoughtFilter(): ThoughtFilter {
  let place: "beginning" | "thoughts" | "reply" = "beginning";
  let held = "";
  return {
    pass(piece) {
      if (place === "reply") return piece;
      held += piece;
      if (place === "beginning") {
        const begun = held.trimStart();
        if (begun.length < OPENING.length && OPENING.startsWith(begun)) return "";
        if (!begun.startsWith(OPENING)) return letGo();
        place = "thoughts";
      }
      const end = held.indexOf(CLOSING);
      if (end < 0) {
        // Only a possible beginning of the closing tag is needed again.
        held = held.slice(-CLOSING.length);
        return "";
      }
      held = held.slice(end + CLOSING.length).trimStart();
      if (held === "") {
        place = "beginning";
        return "";
      }
      return letGo();
    },
    end: () => (place === "beginning" ? letGo() : ""),
  };

  function letGo(): string {
    place = "reply";
    const text = held;
    held = "";
    return text;
  }
}
