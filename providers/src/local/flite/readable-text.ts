/** Replacements for characters that Flite has no word for. Accents are not listed: they are removed. */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ["‘", "'"],
  ["’", "'"],
  ["‚", ","],
  ["“", '"'],
  ["”", '"'],
  ["„", '"'],
  ["‐", "-"],
  ["‑", "-"],
  ["–", ", "],
  ["—", ", "],
  ["…", ", "],
  ["€", " euros "],
  ["£", " pounds "],
  ["°", " degrees "],
  ["×", " times "],
  ["ß", "ss"],
  ["æ", "ae"],
  ["Æ", "Ae"],
  ["œ", "oe"],
  ["Œ", "Oe"],
  ["ø", "o"],
  ["Ø", "O"],
  ["ł", "l"],
  ["Ł", "L"],
  ["đ", "d"],
  ["Đ", "D"],
  ["ð", "d"],
  ["þ", "th"],
  ["ı", "i"],
]);

/**
 * A text in the letters that Flite supports, which are those of ASCII; it skips the bytes of all others. Null when
 * there is something to say and none of it can be said, such as a sentence in Japanese.
 */
export function readableText(text: string): string | null {
  let readable = "";
  let hasUnreadableWord = false;
  for (const sign of text.normalize("NFC")) {
    const plain = REPLACEMENTS.get(sign) ?? withoutAccents(sign);
    if (/^[\x20-\x7e]*$/.test(plain)) readable += plain;
    else {
      hasUnreadableWord ||= /[\p{L}\p{N}]/u.test(sign);
      readable += " ";
    }
  }
  const trimmed = readable.replace(/\s+/g, " ").trim();
  return hasUnreadableWord && !/[A-Za-z0-9]/.test(trimmed) ? null : trimmed;
}

/** Also converts full-width letters, ligatures and the like to those they stand for. */
function withoutAccents(sign: string): string {
  return sign.normalize("NFKD").replace(/\p{M}/gu, "");
}
