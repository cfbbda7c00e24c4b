/** A placeholder as it stands in a text. Spaces around the name are allowed; the name itself is checked when compiling. */
const PLACEHOLDER = / ?\{\{([^{}]*)\}\}/g;

/** The names between double braces, in order, as often as they occur. */
export function placeholderNames(text: string): string[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name.trim());
}

/** The text without its placeholders, to find stray braces. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll(PLACEHOLDER, "");
}

/**
 * Replaces `{{name}}` with values. A name without a value is left out together with the space before it, so that "Hello
 * {{first_name}}, ..." is spoken as "Hello, ...". Values are never read as templates themselves.
 */
export function fillVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACEHOLDER, (whole: string, inner: string) => {
    const name = inner.trim();
    const value = Object.hasOwn(values, name) ? (values[name] ?? "") : "";
    if (value.trim() === "") return "";
    return whole.startsWith(" ") ? ` ${value}` : value;
  });
}

/** An optional part as it stands in a text, with what is said in its place after a bar. It holds at least one placeholder. */
const OPTIONAL = / ?\[\[((?:(?!\[\[|\]\]|\|).)*\{\{(?:(?!\[\[|\]\]|\|).)*)(?:\|((?:(?!\[\[|\]\]|\|).)*))?\]\]/gs;

/** The text without its optional parts, to find stray brackets. */
export function withoutOptionalParts(text: string): string {
  return text.replaceAll(OPTIONAL, "");
}

/**
 * Fills a text for a person: as `fillVariables`, and with optional parts. `[[about {{subject}}]]` disappears, with the space
 * before it, when a name in it has no value; `[[It's {{amount}}.|I don't know.]]` says what follows the bar instead.
 */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  const chosen = text.replaceAll(OPTIONAL, (whole: string, part: string, other = "") => {
    const isKnown = placeholderNames(part).every((name) => Object.hasOwn(values, name) && values[name]?.trim() !== "");
    const kept = (isKnown ? part : other).trim();
    if (kept === "") return "";
    return whole.startsWith(" ") ? ` ${kept}` : kept;
  });
  return fillVariables(chosen, values).trim();
}
