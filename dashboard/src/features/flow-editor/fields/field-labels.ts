import { editorFieldsText } from "./text.tsx";

/** The labels of fields, by their pattern in the document; those of one kind of node have its name before a colon. */
const LABELS: Readonly<Record<string, string>> = editorFieldsText.labels;

/** The labels of list items. */
const ITEMS: Readonly<Record<string, string>> = editorFieldsText.items;

/** Labels of options; a value that is already a plain word is shown unchanged. */
const CHOICES: Readonly<Record<string, string>> = editorFieldsText.choices;

export function labelOf(subject: string, pattern: string): string {
  return LABELS[`${subject}:${pattern}`] ?? LABELS[pattern] ?? humanize(lastName(pattern));
}

export function itemWord(subject: string, pattern: string): string {
  return ITEMS[`${subject}:${pattern}`] ?? ITEMS[pattern] ?? editorFieldsText.item;
}

export function optionLabel(value: string): string {
  const word = CHOICES[value] ?? (/^[A-Z]+$/.test(value) ? value : value.replaceAll("_", " "));
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function lastName(pattern: string): string {
  return pattern.replaceAll("[]", "").split(".").at(-1) ?? pattern;
}

/** A field name as a label: maxTurns is "Max turns". */
function humanize(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
