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
  newer: (version) => `Version ${version} ist veröffentlicht. Dieser Knoten verwendet eine ältere.`,
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

  // Problems.
  chooseOne: "Wählen Sie den Ablauf, den dieser Knoten verwendet.",
  unknown: "Wählen Sie einen anderen Ablauf: Diese Version wurde gelöscht oder nie veröffentlicht.",
  cycle: "Wählen Sie einen anderen Ablauf: Dieser enthält den Agenten selbst.",
  tooDeep: (max) => `Verschachteln Sie weniger Teilabläufe: Höchstens ${max} können ineinander liegen.`,
  tooManyNodes: (max) => `Verwenden Sie einen kleineren Ablauf: Mit ihm hätte dieser Agent mehr als ${max} Knoten.`,
  tooManyVariables: (max) => `Verwenden Sie einen Ablauf mit höchstens ${max} Variablen.`,
  nameTooLong: (name) => `Geben Sie diesem Knoten eine kürzere ID: „${name}“ ist zu lang.`,
  conflict: (mistake) => `Der Teilablauf passt hier nicht: ${mistake}`,
  connectExit: (exit) => `Fügen Sie den Ausgang „${exit}“ hinzu: Der Teilablauf kann dort enden.`,
  addExit: "Ausgang hinzufügen",
  deleteExit: (exit) => `Löschen Sie den Ausgang „${exit}“: Der Teilablauf endet dort nie.`,
  giveInput: (name) => `Geben Sie einen Wert für „${name}“ an: Dieser Agent hat keine solche Variable.`,
  removeInput: (name) => `Entfernen Sie den Wert für „${name}“: Der Teilablauf hat keine solche Variable.`,
  removeOutput: (name) => `Entfernen Sie den Namen für „${name}“: Der Teilablauf erfasst nichts unter diesem Namen.`,
  removeIt: "Entfernen",
};
