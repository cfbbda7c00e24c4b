import { ruleInGerman } from "../../../api/field-sentences.de.ts";
import type { VersionsText } from "./text.tsx";

export const german: VersionsText = {
  // agent-file.tsx
  importFile: "Datei importieren",
  importLead:
    "Ein hier exportierter Agent oder das Dokument, das die API annimmt. Es ersetzt diesen Entwurf; „Rückgängig“ stellt Ihren wieder her.",
  file: "Datei",
  fileHint: "JSON, bis zu 2 MB.",
  cancel: "Abbrechen",
  notJson: "Die Datei ist kein JSON.",
  notAnAgent: (place, reason) =>
    `Diese Datei enthält keinen gültigen Agenten: ${place ? `${place} ` : "Die Datei "}${ruleInGerman(reason) ?? "ist ungültig"}.`,
  noFlow: "Der Agent in dieser Datei hat keinen Ablauf.",

  // comparison.tsx
  noDifference: "Keine Unterschiede, die Anrufe betreffen.",
  differences: "Unterschiede",
  added: "Hinzugefügt",
  removed: "Entfernt",
  changed: "Geändert",
  settingsTitle: "Einstellungen, Variablen und Werkzeuge",
  wasNotThere: "war nicht vorhanden",
  isGone: "entfällt",
  valueBefore: "Vorher:",
  valueAfter: "Nachher:",
  emptyValue: "(leer)",

  // conflict-dialog.tsx
  keptAsCopy: (name) => `Ihre Änderungen sind in „${name}“. Dies ist der Entwurf, wie er gespeichert wurde.`,
  overtakenTitle: "Jemand anderes hat diesen Entwurf geändert",
  overtakenByYouTitle: "Sie haben diesen Entwurf anderswo geändert",
  copyName: (name) => `${name} (meine Kopie)`,
  overtakenLead: (message, isByYou, savedAt) =>
    `${message}${savedAt === null ? "" : ` Er wurde gespeichert: ${savedAt}.`} ${isByYou ? "Die Änderungen in diesem Fenster" : "Ihre Änderungen"} sind noch da, und es wurde nichts überschrieben.`,
  loadingTheirs: "Die andere Fassung wird geladen",
  theirsToYours: "Von der anderen zu Ihrer Fassung",
  keepMineAsCopy: "Meine als Kopie speichern und die andere verwenden",
  theirsIsDraft: "Dies ist die andere Fassung. „Rückgängig“ stellt Ihre wieder her.",
  goOnWithTheirs: "Die andere verwenden",
  mineIsDraft: "Ihre Fassung ist jetzt der Entwurf. „Rückgängig“ stellt die andere wieder her.",
  goOnWithMine: "Meine verwenden",
  compareBoth: "Beide vergleichen",

  // draft-saver.ts
  changedMeanwhile: "Während Ihre letzten Änderungen auf das Speichern warteten, wurde der Entwurf anderswo geändert.",
  pageFailed: "Auf dieser Seite ist etwas schiefgegangen.",
  overtaken: () => "Jemand anderes hat den Entwurf geändert.",
  broughtUpToDate: "Der Entwurf wurde anderswo geändert. Dies ist der neueste Stand.",
  unsavedAreBack: "Änderungen, die beim letzten Mal nicht gespeichert wurden, sind wieder da.",

  // publish-dialog.tsx
  publishFirst: "Erste Version veröffentlichen",
  publishNew: "Neue Version veröffentlichen",
  publishLead:
    "Neue Anrufe verwenden sie sofort. Laufende und wartende Anrufe behalten die Version, mit der sie angenommen wurden.",
  fixProblems: "Beheben Sie zuerst die Probleme unter der Zeichenfläche.",
  note: "Notiz (optional)",
  noteHint: "Was sich geändert hat; erscheint in der Liste der Versionen.",
  whatChanges: "Was sich ändert",
  notYet: "Abbrechen",
  publish: "Veröffentlichen",
  runAllScenarios: "Alle Szenarien ausführen",
  scenariosDangle: (count) =>
    count === 1
      ? "Ein Szenario erwartet etwas, das nicht mehr zum Ablauf gehört."
      : `${count} Szenarien erwarten etwas, das nicht mehr zum Ablauf gehört.`,
  scenariosFail: (failed, all) =>
    all === 1
      ? "Das Szenario schlägt fehl. Trotzdem veröffentlichen?"
      : `${failed} von ${all} Szenarien schlagen fehl. Trotzdem veröffentlichen?`,
  scenariosPass: (all) =>
    all === 1 ? "Das Szenario besteht mit diesem Ablauf." : `Alle ${all} Szenarien bestehen mit diesem Ablauf.`,
  scenariosNotRun: "Die Szenarien wurden mit diesem Ablauf noch nicht ausgeführt.",
  scenariosPartlyRun: "Einige Szenarien wurden mit diesem Ablauf noch nicht ausgeführt.",

  // versions-dialog.tsx
  versions: "Versionen",
  versionsLead: "Veröffentlichte Versionen ändern sich nicht mehr.",
  loadingVersions: "Versionen werden geladen",
  emptyTitle: "Noch keine Versionen",
  emptyText: "Mit dem Veröffentlichen des Entwurfs entsteht die erste.",
  showMore: "Mehr anzeigen",
  usedByNewCalls: "Von neuen Anrufen verwendet",
  version: (number) => `Version ${number}`,
  pinnedBy: (code) => <>Einen Anruf auf diese Version festlegen: {code}</>,
  withoutNote: "Ohne Notiz",
  compareVersion: (version) => `Version ${version} vergleichen`,
  compare: "Vergleichen",
  takeVersion: (version) => `Version ${version} in den Entwurf übernehmen`,
  take: "In den Entwurf",
  rollBackTo: (version) => `Auf Version ${version} zurücksetzen`,
  rollBack: "Zurücksetzen",
  before: "Vorher",
  after: "Nachher",
  theDraft: "Der Entwurf",
  allVersions: "Alle Versionen",
  loadingBoth: "Beide werden geladen",
};
