import type { SubFlowsText } from "./text.ts";

export const german: SubFlowsText = {
  // The kind of node.
  name: "Teilablauf",
  purpose: "Verwendet den Ablauf eines anderen Agenten",
  terms: "wiederverwenden baustein modul teil agent einbinden",
  version: (version) => `Version ${version}`,

  // sub-flow-fields.tsx
  whichFlow: "Welcher Ablauf",
  chooseFlow: "Agenten wählen …",
  onlyPublished: "Verwendbar sind veröffentlichte Agenten, die diesen nicht enthalten.",
  notListed: "Ein Agent, der nicht geöffnet werden kann",
  open: "In einem neuen Tab öffnen",
  newer: (version) => `Version ${version} ist veröffentlicht. Dieser Baustein verwendet eine ältere.`,
  update: (version) => `Auf Version ${version} aktualisieren`,
  couldNotLoad: "Der Ablauf konnte nicht geladen werden. Versuchen Sie es noch einmal.",
  inputs: "Seine Variablen",
  inputsHint:
    "Ein Ausdruck wie collected.day oder ein Text in Anführungszeichen. Leer: die gleichnamige Variable dieses Agenten.",
  exits: "Wenn er endet",
  noExits: "Der Ablauf kehrt nie zurück: Jeder Weg beendet den Anruf.",
  choose: "Wählen …",
  saves: "Was er erfasst",
  savesHint: (name) => `Wenn leer, gespeichert als ${name}.`,

  // make-sub-flow.tsx
  makeItem: "Teilablauf erstellen …",
  makeCommand: "Teilablauf aus der Auswahl erstellen",
  makeCommandNote: "Macht aus den ausgewählten Bausteinen einen eigenen Agenten",
  makeTitle: "Teilablauf aus der Auswahl erstellen",
  makeLead:
    "Aus den ausgewählten Bausteinen wird ein eigener Agent, der sofort veröffentlicht wird. An ihre Stelle tritt in diesem Ablauf ein Baustein, der ihn verwendet.",
  looking: "Die Auswahl wird geprüft",
  partName: "Name des neuen Agenten",
  partNameHint: "Unter diesem Namen können ihn auch andere Agenten verwenden.",
  make: "Teilablauf erstellen",
  cancel: "Abbrechen",
  close: "Schließen",
  itsNodes: "Seine Bausteine",
  itsExits: "Wohin er führt",
  made: (name) =>
    `„${name}“ ist jetzt ein eigener Agent, veröffentlicht als Version 1. Rückgängig holt die Bausteine zurück; der Agent bleibt.`,
  madeButChanged: (name) =>
    `„${name}“ wurde erstellt und veröffentlicht, aber dieser Ablauf hat sich inzwischen geändert und verwendet ihn noch nicht.`,
  nothingToCut:
    "Wählen Sie zuerst die Bausteine aus, die zusammengehören. Ein Ende allein kann kein Teilablauf werden.",
  startStays: "Der Start muss in diesem Ablauf bleiben. Nehmen Sie ihn aus der Auswahl.",
  voicemailStays: "Die Mailbox-Nachricht muss in diesem Ablauf bleiben. Nehmen Sie sie aus der Auswahl.",
  noEntry: "Zu den ausgewählten Bausteinen führt keine Verbindung. Verbinden Sie zuerst einen davon.",
  globalStays: (title) =>
    `Zu „${title}“ können Angerufene von jeder Frage aus kommen, was in einem Teilablauf nicht möglich ist. Nehmen Sie den Baustein aus der Auswahl.`,
  manyEntries: (titles) =>
    `Verbindungen führen zu mehreren der ausgewählten Bausteine: ${titles.map((title) => `„${title}“`).join(", ")}. Ein Teilablauf beginnt an einem Baustein. Wählen Sie auch die Bausteine davor aus, oder weniger Bausteine.`,
  twoSources: (name) =>
    `„${name}“ bekommt seinen Wert an mehreren Stellen, und die ausgewählten Bausteine verwenden ihn. Wählen Sie alle Bausteine aus, die ihn speichern, oder speichern Sie ihn unter verschiedenen Namen.`,
  notText: (name) =>
    `Eine Bedingung verwendet „${name}“, ein Ja oder Nein, das ein anderer Baustein speichert. Teilabläufe bekommen Texte und Zahlen. Wählen Sie auch den Baustein aus, der es speichert.`,
  tooMany: {
    inputs: (max) =>
      `Die ausgewählten Bausteine verwenden mehr als ${max} Werte anderer Bausteine. Wählen Sie weniger Bausteine aus.`,
    exits: (max) => `Die ausgewählten Bausteine führen zu mehr als ${max} anderen. Wählen Sie weniger Bausteine aus.`,
    saves: (max) => `Die ausgewählten Bausteine speichern mehr als ${max} Werte. Wählen Sie weniger Bausteine aus.`,
  },
  hasProblem: (place, problem) => `Beheben Sie zuerst: ${place === null ? "" : `${place}: `}${problem}`,

  // Problems.
  chooseOne: "Wählen Sie den Ablauf, den dieser Baustein verwendet.",
  unknown: "Wählen Sie einen anderen Ablauf: Diese Version wurde gelöscht oder nie veröffentlicht.",
  cycle: "Wählen Sie einen anderen Ablauf: Dieser enthält den Agenten selbst.",
  tooDeep: (max) => `Verschachteln Sie weniger Teilabläufe: Höchstens ${max} können ineinander liegen.`,
  tooManyNodes: (max) => `Verwenden Sie einen kleineren Ablauf: Mit ihm hätte dieser Agent mehr als ${max} Bausteine.`,
  tooManyVariables: (max) => `Verwenden Sie einen Ablauf mit höchstens ${max} Variablen.`,
  nameTooLong: (name) => `Geben Sie diesem Baustein eine kürzere ID: „${name}“ ist zu lang.`,
  conflict: (_mistake, worded) =>
    `Der Teilablauf passt hier nicht: ${worded ?? "Zusammen mit diesem Ablauf kann er nicht veröffentlicht werden. Öffnen Sie ihn, und sehen Sie sich seine Probleme an."}`,
  connectExit: (exit) => `Fügen Sie den Ausgang „${exit}“ hinzu: Der Teilablauf kann dort enden.`,
  addExit: "Ausgang hinzufügen",
  deleteExit: (exit) => `Löschen Sie den Ausgang „${exit}“: Der Teilablauf endet dort nie.`,
  giveInput: (name) => `Geben Sie einen Wert für „${name}“ an: Dieser Agent hat keine solche Variable.`,
  removeInput: (name) => `Entfernen Sie den Wert für „${name}“: Der Teilablauf hat keine solche Variable.`,
  removeOutput: (name) => `Entfernen Sie den Namen für „${name}“: Der Teilablauf erfasst nichts unter diesem Namen.`,
  removeIt: "Entfernen",
};
