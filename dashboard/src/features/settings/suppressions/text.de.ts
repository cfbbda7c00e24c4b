import type { SuppressionsText } from "./text.ts";

export const german: SuppressionsText = {
  // suppressions-page.tsx
  importLabel: "Importieren",
  addNumber: "Nummer hinzufügen",
  suppressionList: "Sperrliste",
  lead: "Diese Nummern werden nie angerufen, auch nicht von bereits angenommenen Anrufen.",
  searchLabel: "Nummern nach den ersten Ziffern suchen",
  searchExample: "Beginnt mit +49 30…",
  loadingNumbers: "Nummern werden geladen",
  emptyList: "Die Liste ist leer",
  emptyListText:
    "Wer einen Agenten bittet, nicht mehr anzurufen, wird automatisch aufgenommen. Sie können auch Nummern hinzufügen oder eine Liste einfügen.",
  noSuchNumber: "Keine solche Nummer",
  noneStartsWith: (start) => `Keine Nummer auf der Liste beginnt mit ${start}.`,
  mayBeCalledAgain: (phoneNumber) => `${phoneNumber} darf wieder angerufen werden.`,
  removeNumber: (phoneNumber) => `${phoneNumber} von der Liste entfernen`,
  willNotBeCalled: (phoneNumber) => `${phoneNumber} wird nicht mehr angerufen.`,
  takesEffectImmediately: "Gilt sofort.",
  phoneNumber: "Telefonnummer",
  withItsCountryCode: "Mit Landesvorwahl.",
  numberMistake: "Geben Sie die Nummer mit Landesvorwahl ein, zum Beispiel +49 30 1234567.",
  reasonOptional: "Grund (optional)",
  reasonExample: "Möchte nicht angerufen werden",
  cancel: "Abbrechen",
  importNumbers: "Nummern importieren",
  importLead: "Fügen Sie Nummern mit Landesvorwahl ein, eine pro Zeile oder durch Kommas getrennt.",
  imported: (added, known) => {
    const before = known > 0 ? ` ${known} ${known === 1 ? "stand" : "standen"} schon auf der Liste.` : "";
    return `${added} ${added === 1 ? "Nummer" : "Nummern"} hinzugefügt.${before}`;
  },
  importFailed: (problem) =>
    `${problem} Bis dahin Hinzugefügtes bleibt; importieren Sie erneut, um den Rest hinzuzufügen.`,
  numbers: "Nummern",
  importReasonExample: "Aus dem alten System übernommen",
  addNumbers: "Nummern hinzufügen",
  addCount: (count) => `${count} hinzufügen`,
  numbersRead: (count) => `${count} ${count === 1 ? "Nummer" : "Nummern"} gelesen.`,
  leftOut: (shown, more) => {
    const list = shown.map((each) => `„${each}“`).join(", ");
    return `Ausgelassen: ${list}${more > 0 ? ` und ${more} weitere` : ""}.`;
  },
};
