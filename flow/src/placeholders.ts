/** A placeholder as it stands in a text. Spaces around the name are allowed; the name itself is checked when compiling. */
const PLACEHOLDER = / ?\{\{([^{}]*)\}\}/g;

/** The names between double braces, in order, as often as they occur. */
export function placeholderNames(text: string): string[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name.trim());
}

/** The text without its placeholders, to see what braces are left over. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll(PLACEHOLDER, "");
}

/**
 * Puts values in the place of `{{name}}`. A name without a value is left out together with the space before it, so
 * that "Hello {{first_name}}, ..." is spoken as "Hello, ...". Values are never read as templates themselves.
 */
export function fillVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACEHOLDER, (whole: string, inner: string) => {
    const name = inner.trim();
    const value = Object.hasOwn(values, name) ? (values[name] ?? "") : "";
    if (value.trim() === "") return "";
    return whole.startsWith(" ") ? ` ${value}` : value;
  });
}
