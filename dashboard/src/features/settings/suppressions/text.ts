import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // suppressions-page.tsx
  importLabel: "Import",
  addNumber: "Add number",
  suppressionList: "Suppression list",
  lead: "These numbers are never called, not even for calls that were already accepted.",
  searchLabel: "Find numbers by their first digits",
  searchExample: "Starts with +49 30…",
  loadingNumbers: "Loading numbers",
  emptyList: "The list is empty",
  emptyListText:
    "Callees who ask an agent not to call again are added automatically. You can also add numbers or paste a list.",
  noSuchNumber: "No matching numbers",
  noneStartsWith: (start: string) => `No number on the list starts with ${start}.`,
  mayBeCalledAgain: (phoneNumber: string) => `${phoneNumber} may be called again.`,
  removeNumber: (phoneNumber: string) => `Remove ${phoneNumber} from the list`,
  willNotBeCalled: (phoneNumber: string) => `${phoneNumber} will not be called again.`,
  takesEffectImmediately: "Takes effect immediately.",
  phoneNumber: "Phone number",
  withItsCountryCode: "With its country code.",
  numberMistake: "Enter the number with its country code, such as +49 30 1234567.",
  reasonOptional: "Reason (optional)",
  reasonExample: "Asked not to be called",
  cancel: "Cancel",
  importNumbers: "Import numbers",
  importLead: "Paste numbers with their country codes, one per line or separated by commas.",
  imported: (added: number, known: number) => {
    const before = known > 0 ? ` ${known} ${known === 1 ? "was" : "were"} already on the list.` : "";
    return `${added} ${added === 1 ? "number was" : "numbers were"} added.${before}`;
  },
  importFailed: (problem: string) =>
    `${problem} Numbers added before that are kept; import the list again to add the rest.`,
  numbers: "Numbers",
  importReasonExample: "Imported from the old system",
  addNumbers: "Add numbers",
  addCount: (count: number) => `Add ${count}`,
  numbersRead: (count: number) => `${count} ${count === 1 ? "number" : "numbers"} found.`,
  leftOut: (shown: readonly string[], more: number) => {
    const list = shown.map((each) => `“${each}”`).join(", ");
    return `Skipped: ${list}${more > 0 ? ` and ${more} more` : ""}.`;
  },
};

export type SuppressionsText = typeof english;

export const suppressionsText = inLanguage("settings/suppressions", english);
