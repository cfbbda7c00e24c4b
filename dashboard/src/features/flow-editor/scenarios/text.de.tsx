import { german as api } from "../../../api/text.de.ts";
import type { ScenariosText } from "./text.tsx";

const MACHINES = { voicemail: "Mailbox", ivr: "Telefonmenü", screening: "Anrufprüfung", fax: "Faxgerät" } as const;

export const german: ScenariosText = {
  // expectation-list.tsx
  expectations: "Was dabei herauskommen muss",
  addExpectation: "Erwartung hinzufügen",
  expectation: (number) => `Erwartung ${number}`,
  removeExpectation: (number) => `Erwartung ${number} entfernen`,
  expectationDetail: (number) => `Angabe zu Erwartung ${number}`,
  expectationValue: (number) => `Wert zu Erwartung ${number}`,
  anyValue: "Beliebiger Wert",
  saidExample: "Ihr Termin ist bestätigt",
  orLabel: (label) => `${label}, oder`,
  removeReason: (reason) => `Entfernen: ${reason}`,
  addOr: "oder …",

  // dangling-expectations.tsx
  danglingValue: (name, isNegative) =>
    isNegative
      ? `„${name}“ wird nun nie erfasst: Nichts im Ablauf speichert diesen Wert mehr. Fügen Sie den Baustein wieder ein, oder entfernen Sie diese Erwartung.`
      : `Erwartet, dass „${name}“ erfasst wird, aber nichts im Ablauf speichert diesen Wert mehr. Fügen Sie den Baustein wieder ein, oder entfernen Sie diese Erwartung.`,
  danglingNode: (nodeId, isNegative) =>
    isNegative
      ? `„${nodeId}“ wird nun nie erreicht: Der Baustein gehört nicht mehr zum Ablauf. Fügen Sie ihn wieder ein, oder entfernen Sie diese Erwartung.`
      : `Erwartet, dass „${nodeId}“ erreicht wird, aber der Baustein gehört nicht mehr zum Ablauf. Fügen Sie ihn wieder ein, oder entfernen Sie diese Erwartung.`,
  removeDangling: "Erwartung entfernen",
  chooseAnother: "Andere wählen …",
  danglingRemoved: (name) => `Eine Erwartung von „${name}“ wurde entfernt.`,

  // make-scenario.tsx
  createdFromCall: (name) => `„${name}“ gehört jetzt zu den Szenarien des Agenten.`,
  created: "Szenario erstellt",
  createScenario: "Szenario erstellen",

  // scenario-dialog.tsx
  editScenario: "Szenario bearbeiten",
  newScenario: "Neues Szenario",
  name: "Name",
  nameExample: "Möchte einen anderen Tag",
  callVariables: "Variablen des Anrufs",
  cancel: "Abbrechen",
  save: "Speichern",
  steps: "Was die angerufene Person tut",
  stepsLead: "Der Agent beginnt den Anruf; die angerufene Person antwortet Schritt für Schritt.",
  addStep: "Schritt hinzufügen",
  step: (number) => `Schritt ${number}`,
  removeStep: (number) => `Schritt ${number} entfernen`,
  stepWords: (number) => `Worte in Schritt ${number}`,
  stepWordsExample: "Ja, ich werde da sein",
  interruptsAfter: (ms) => <>nach {ms} ms, während der Agent spricht</>,
  stepKeys: (number) => `Tasten in Schritt ${number}`,
  stepMachine: (number) => `Maschine in Schritt ${number}`,
  voicemail: "Eine Mailbox",
  phoneMenu: "Ein Telefonmenü",
  callScreening: "Anrufprüfung",
  fax: "Ein Faxgerät",

  // scenario-form.ts
  stepSays: "Sagt",
  stepInterrupts: "Unterbricht",
  stepPressesKeys: "Drückt Tasten",
  stepSaysNothing: "Sagt nichts",
  stepMachineAnswers: "Eine Maschine antwortet",
  stepHangsUp: "Legt auf",
  expectEnded: "Der Anruf endet so",
  expectNotEnded: "Der Anruf geht weiter",
  expectReached: "Erreicht den Baustein",
  expectNotReached: "Erreicht nie den Baustein",
  expectCollected: "Erfasst",
  expectNotCollected: "Erfasst nicht",
  expectSaid: "Der Agent sagt",
  expectNotSaid: "Der Agent sagt nie",
  expectSuppressed: "Kommt auf die Sperrliste",
  expectNotSuppressed: "Kommt nicht auf die Sperrliste",
  expectTransferred: "Wird an einen Menschen weitergeleitet",
  expectNotTransferred: "Wird nicht weitergeleitet",
  expectToolCalled: "Verwendet das Werkzeug",
  expectToolNotCalled: "Verwendet nie das Werkzeug",
  nameMissing: "Geben Sie ihm einen Namen.",
  wordsMissing: "Geben Sie ein, was die angerufene Person sagt.",
  keysWrong: "Tasten sind Ziffern, * und #.",
  expectationMissing: "Geben Sie an, was dabei herauskommen muss.",
  saidMissing: "Geben Sie die Worte des Agenten ein.",

  // scenario-text.ts
  ended: (reasons) => `Endet so: ${reasons.join(", oder ")}`,
  reached: (nodeId) => `Erreicht ${nodeId}`,
  notReached: (nodeId) => `Erreicht nie ${nodeId}`,
  collected: (name, equals) => (equals === undefined ? `Erfasst ${name}` : `Erfasst ${name} = ${equals}`),
  notCollected: (name) => `Erfasst ${name} nicht`,
  said: (contains) => `Der Agent sagt „${contains}“`,
  notSaid: (contains) => `Der Agent sagt nie „${contains}“`,
  suppressed: "Die Nummer kommt auf die Sperrliste",
  notSuppressed: "Die Nummer kommt nicht auf die Sperrliste",
  transferredTo: (to) => `Wird an ${to} weitergeleitet`,
  transferred: "Wird weitergeleitet",
  toolCalled: (name) => `Verwendet ${name}`,
  toolNotCalled: (name) => `Verwendet nie ${name}`,
  interrupts: (words) => `unterbricht: „${words}“`,
  says: (words) => `„${words}“`,
  presses: (keys) => `drückt ${keys}`,
  silent: "sagt nichts",
  machineAnswers: (machine) => `${MACHINES[machine]} antwortet`,
  hangsUp: "legt auf",

  // scenarios-panel.tsx
  onText: "Mit Text",
  onAudio: "Mit Audio",
  loading: "Szenarien werden geladen",
  emptyTitle: "Noch keine Szenarien",
  emptyText:
    "Ein Szenario beschreibt, was eine angerufene Person tut und was dabei herauskommen muss. Speichern Sie eines beim Ausprobieren oder aus einem Anruf, oder schreiben Sie es selbst.",
  howToRun: "Art der Ausführung",
  runAll: "Alle ausführen",
  onAudioNote:
    "Mit Audio ist jedes ein simulierter Anruf mit echtem Ton. Das kostet nichts und dauert etwa so lange wie die Anrufe.",
  runningDone: (done) => `Läuft: ${done} erledigt.`,
  isRunning: "Läuft.",
  noneRunYet: (all) => (all === 1 ? "1 Szenario, noch nicht ausgeführt." : `${all} Szenarien, noch nicht ausgeführt.`),
  allPassed: (passed, all) => `${passed} von ${all} bestanden.`,
  someFailed: (failed, all, passed) => `${failed} von ${all} nicht bestanden, ${passed} bestanden.`,
  noSteps: "Die angerufene Person tut nichts",
  menuOf: (name) => `Aktionen für „${name}“`,
  runOne: "Dieses ausführen",
  edit: "Bearbeiten",
  deleteOne: "Löschen",
  passed: "Bestanden",
  failed: "Nicht bestanden",
  running: "Läuft",
  notRunYet: "Noch nicht ausgeführt",
  deleted: (name) => `„${name}“ wurde gelöscht.`,
  stale: "Von vor der letzten Änderung.",
  goToNode: (nodeId) => `Zu ${nodeId}`,
  goToNodeAfterStep: (step, nodeId) => `Nach Schritt ${step}: zu ${nodeId}`,
  whatFailed: (message, expectation) =>
    expectation === null ? api.wordSentence(message) : `Nicht erfüllt: ${expectation}. ${whatHappened(message)}`.trim(),
  whatWasSaid: "Was gesagt wurde",
  agent: "Agent",
  callee: "Angerufene Person",
  showPath: "Weg auf der Zeichenfläche zeigen",
  openCall: "Anruf öffnen",

  // tool-reply-list.tsx
  toolReplies: "Was Werkzeuge antworten",
  toolRepliesLead: "Mit Text wird keine Anfrage gesendet. Ein Werkzeug ohne Antwort schlägt fehl.",
  answers: (tool) => <>{tool} antwortet</>,
  statusOf: (name) => `Status von ${name}`,
  bodyOf: (name) => `Inhalt von ${name} als JSON`,
};

/** What happened instead, as far as it says more than that it did not. */
function whatHappened(message: string): string {
  const [, happened = ""] = /, but (.+?)\. That was /s.exec(message) ?? [];
  const [, value] = /^it is (.+)$/s.exec(happened) ?? [];
  if (value !== undefined) return value === "null" ? "Erfasst wurde nichts." : `Erfasst wurde ${value}.`;
  const [, path] = /^it went (.+)$/s.exec(happened) ?? [];
  if (path !== undefined) return path === "nowhere" ? "Der Anruf kam nirgendwohin." : `Der Anruf ging über ${path}.`;
  const [, reason] = /^it ended as (\w+)$/.exec(happened) ?? [];
  if (reason !== undefined) return `Er endete als ${reason}.`;
  if (happened === "nothing in the flow saves it") return "Nichts im Ablauf speichert diesen Wert.";
  return happened === "it went on" ? "Er ging weiter." : "";
}
