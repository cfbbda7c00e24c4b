import type { AskNode } from "@parley/contract/flow-ask";
import { germanMarkupMistake, germanMistake } from "../fields/mistakes.de.ts";
import type { ProblemsText } from "./text.ts";

const NEVER_KNOWN =
  "Eine solche Antwort ist nie im Voraus bekannt; für bekannte Antworten fragen Sie nach einer Auswahl.";
const EXPECTED: Readonly<Record<AskNode["answer"], string>> = {
  yes_no: "Erwartet wird Ja (yes) oder Nein (no).",
  number: "Erwartet wird eine Zahl wie 3 oder 2.5.",
  date: "Erwartet wird ein Datum wie 2026-01-31.",
  time: "Erwartet wird eine Uhrzeit wie 09:30.",
  choice: "Erwartet wird eine der Auswahlmöglichkeiten in Worten.",
  digits: "Erwartet werden Ziffern wie 0042.",
  phone: NEVER_KNOWN,
  email: NEVER_KNOWN,
  name: NEVER_KNOWN,
  free_text: "Freier Text hat keine eigenen Ausgänge; für bekannte Antworten fragen Sie nach einer Auswahl.",
};

/** Names of exits come in straight quotes. */
function inQuotes(name: string): string {
  return `„${name.replaceAll(/^"|"$/g, "")}“`;
}

function adviceFor(exit: string, words: string): string {
  return words === ""
    ? `Geben Sie ${inQuotes(exit)} Formulierungen mit eigenen Wörtern.`
    : `Verwenden Sie für ${inQuotes(exit)} ${words.split(" ").map(inQuotes).join(" oder ")}.`;
}

function overlapOf(whole: string, inner: string): string {
  if (whole === inner) return `beide haben ${inQuotes(whole)}`;
  return whole.split(/\s+/).length === inner.split(/\s+/).length
    ? `${inQuotes(whole)} und ${inQuotes(inner)} sind dieselben Wörter`
    : `${inQuotes(whole)} enthält ${inQuotes(inner)}`;
}

export const german: ProblemsText = {
  // fix-note.ts
  fixDeleteNode: "Baustein löschen",
  fixAddStart: "Start hinzufügen",
  fixConnect: "Verbinden …",
  fixChangeId: "ID ändern",
  fixAddVariable: "Als Variable der Anrufe anlegen",
  fixAddVoicemail: "Mailbox-Nachricht hinzufügen",
  fixDeleteAnswer: "Antwort löschen",
  fixRemoveKey: "Taste entfernen",
  fixRemoveHere: "Hier entfernen",
  fixRemove: "Entfernen",
  fixRemoveTool: "Werkzeug entfernen",
  fixDefaultModel: "Standardmodell verwenden",
  fixDeleteTool: "Werkzeug löschen",
  fixOfferCallback: "Rückruf anbieten",
  fixAddAnswer: (missing) => `„${missing}“ hinzufügen`,

  // problems-panel.tsx
  problems: "Probleme",
  checking: "Der Ablauf wird geprüft …",
  problem: "Problem",
  warning: "Warnung",
  unfinished: "Der neue Baustein ist noch nicht fertig",
  noProblems: "Keine Probleme",
  problemCount: (count) => (count === 1 ? "1 Problem" : `${count} Probleme`),
  warningCount: (count) => (count === 1 ? "1 Warnung" : `${count} Warnungen`),

  // word-notes.ts
  settings: "Einstellungen",
  tools: "Werkzeuge",
  variables: "Variablen",
  emptyTexts: {
    "say:text": "Schreiben Sie, was der Agent sagt.",
    "ask:text": "Schreiben Sie die Frage.",
    "voicemail:text": "Schreiben Sie die Nachricht für die Mailbox.",
    "end:text": "Schreiben Sie die letzten Worte, oder entfernen Sie sie.",
    "conversation:prompt": "Beschreiben Sie, was das Sprachmodell tun soll.",
  },
  unreadText: (field) =>
    `„${field}“ ist kein gültiges JSON und wird nicht gespeichert. Vervollständigen oder leeren Sie das Feld.`,
  emptyText: (field) => `Füllen Sie „${field}“ aus.`,
  noStart: "Fügen Sie einen Start hinzu und verbinden Sie ihn mit dem, was der Agent als Erstes sagt.",
  manyStarts: (first) => `Löschen Sie diesen oder den anderen Start: Der Anruf beginnt schon bei „${first}“.`,
  duplicateId: (id) => `Ändern Sie die ID: Ein anderer Baustein heißt auch „${id}“.`,
  unknownMenuNode:
    "Wählen Sie, wohin der Anruf geht, wenn ein Telefonmenü antwortet: Der bisherige Baustein wurde gelöscht.",
  unknownNode: (exit) => `Wählen Sie, wohin „${exit}“ führt: Der bisherige Baustein wurde gelöscht.`,
  leadsNowhere: (exit) => `Wählen Sie, wohin „${exit}“ führt.`,
  unreachable: "Verbinden Sie einen Ausgang mit diesem Baustein, oder löschen Sie ihn: Kein Anruf kommt hierher.",
  noWayToEnd: "Fügen Sie einen Weg zu einem Ende-Baustein hinzu: Von hier aus würde sich ein Anruf im Kreis drehen.",
  undeclaredVariable: (name) =>
    `Legen Sie „${name}“ als Variable der Anrufe an, oder berichtigen Sie die Schreibweise: Nichts liefert diesen Wert.`,
  collectedLater: (name) =>
    `Fragen Sie früher nach „${name}“: Der Wert wird hier verwendet, bevor ein Baustein ihn speichert.`,
  badMarkup: (field, mistake) => `Berichtigen Sie die Auszeichnung in „${field}“: ${germanMarkupMistake(mistake)}.`,
  badBraces: (field) =>
    `Vervollständigen Sie {{name}} in „${field}“: Die doppelten geschweiften Klammern passen nicht zusammen.`,
  badBrackets: (field) => `Setzen Sie {{name}} in den [[optionalen Teil]] von „${field}“, oder schließen Sie ihn.`,
  badPlaceholder: (name, field) =>
    `Benennen Sie {{${name}}} in „${field}“ um: Erlaubt sind Kleinbuchstaben, Ziffern und Unterstriche.`,
  exitDoesNotFit: (when, kind) => `Ändern Sie die Antwort „${when}“. ${EXPECTED[kind]}`,
  duplicateExit: (when) => `Löschen oder ändern Sie eine der beiden Antworten „${when}“: Nur die erste wird verwendet.`,
  duplicateKey: (key) => `Wählen Sie eine andere Taste: Zwei Antworten verwenden ${key}.`,
  emptyRange: (min, max) => `Berichtigen Sie den Bereich: Zwischen ${min} und ${max} liegt nichts.`,
  fieldDoesNotFit: (field) => `Entfernen Sie „${field}“: Das passt nicht zu dieser Art von Antwort.`,
  noChoices: "Fügen Sie die Möglichkeiten hinzu, aus denen angerufene Personen wählen können.",
  noConditions: "Fügen Sie eine Bedingung hinzu, oder löschen Sie diese Verzweigung: Ohne Bedingung tut sie nichts.",
  conditionsTooLong: "Kürzen Sie die Bedingungen: Zusammen sind sie zu lang.",
  emptyCondition: (number) => `Schreiben Sie Bedingung ${number}.`,
  badCondition: (number, mistake) => `Berichtigen Sie Bedingung ${number}: ${germanMistake(mistake)}`,
  emptyValue: (number) => `Schreiben Sie Wert ${number}.`,
  badValue: (number, mistake) => `Berichtigen Sie Wert ${number}: ${germanMistake(mistake)}`,
  badExpression: () => "Berichtigen Sie den Ausdruck.",
  nothingToSet: "Fügen Sie einen zu speichernden Wert hinzu, oder löschen Sie diesen Baustein.",
  endlessBranching:
    "Sagen oder fragen Sie unterwegs etwas: Dieser Baustein kann ohne ein Wort zu sich selbst zurückführen.",
  globalWithoutPhrases: "Fügen Sie hinzu, mit welchen Worten angerufene Personen hierher kommen.",
  globalReturns: "Trennen Sie diesen Baustein: Er kehrt von selbst zur offenen Frage zurück.",
  manyGlobals:
    "Machen Sie weniger Bausteine von jeder Frage aus erreichbar: Es sind zu viele, um sie auseinanderzuhalten.",
  duplicatePhrase: (phrase, other) =>
    `Entfernen Sie „${phrase}“ hier oder in „${other}“: Die Formulierung führt zu beiden.`,
  manyVoicemails: "Löschen Sie diese oder die andere Mailbox-Nachricht: Nur eine kann hinterlassen werden.",
  noVoicemail:
    "Fügen Sie einen Mailbox-Baustein mit der Nachricht hinzu, oder wählen Sie, bei einer Mailbox aufzulegen.",
  badUrl: "Geben Sie eine URL ein, etwa https://api.example.com/orders/{{number}}.",
  bodyOfGet: "Entfernen Sie den Inhalt, oder verwenden Sie POST: Server ignorieren den Inhalt einer GET-Anfrage.",
  reservedHeader: (header) => `Entfernen Sie den Header ${header}: Der Dienst setzt ihn selbst.`,
  brokenHeader: (header) => `Entfernen Sie den Zeilenumbruch aus dem Header ${header}.`,
  emptyPath: "Geben Sie an, welcher Teil der Antwort gespeichert wird, etwa slots[0].start, oder $ für alles.",
  badPath: (path) =>
    `Berichtigen Sie „${path}“: Verwenden Sie einen Pfad wie slots[0].start, oder $ für die ganze Antwort.`,
  emptyNumber: "Geben Sie die Telefonnummer ein, mit der verbunden wird, etwa +15550100001.",
  badNumber: (to) =>
    `Berichtigen Sie die Telefonnummer „${to}“: Schreiben Sie sie wie +15550100001, oder verwenden Sie {{name}}.`,
  emptyKeys: "Geben Sie die zu drückenden Tasten ein.",
  badKeys: (keys) => `Berichtigen Sie die Tasten „${keys}“: Erlaubt sind Ziffern, * und #, oder {{name}}.`,
  unknownTool: (tool) => `Wählen Sie ein anderes Werkzeug: „${tool}“ wurde gelöscht.`,
  duplicateTool: (tool) => `Benennen Sie eines der beiden Werkzeuge namens „${tool}“ um.`,
  duplicateParameter: (tool) => `Benennen Sie einen der Parameter von „${tool}“ um: Zwei haben denselben Namen.`,
  badGroup: () => "Zwei Gruppen haben dieselbe ID. Heben Sie eine davon auf.",
  noModel:
    "Benötigt ein Sprachmodell, und keines ist eingerichtet. Bis dahin können Anrufe diesen Agenten nicht verwenden.",
  unknownModel: (requested, used) =>
    `Das Modell „${requested}“ ist nicht eingerichtet; Anrufe verwenden stattdessen „${used}“.`,
  unusedVariable: (name) => `Die Variable „${name}“ der Anrufe wird nie verwendet.`,
  unusedTool: (name) => `Kein Gespräch verwendet das Werkzeug „${name}“.`,
  answerUnused: "Fügen Sie erwartete Antworten hinzu, oder speichern Sie die Antwort: Bisher wird sie nicht verwendet.",
  missingAnswer: (missing) => `Fügen Sie eine Antwort für „${missing}“ hinzu: Bis dahin gilt sie als nicht verstanden.`,
  nothingOffered: (title) =>
    `Wer bei „${title}“ nicht verstanden wird, bekommt vor dem Ende des Anrufs weder einen Rückruf noch einen Menschen angeboten. Das entscheiden die Einstellungen unter „Rückrufe“.`,
  loopWithoutQuestion:
    "Ein Anruf kann immer wieder hierher zurückkommen, ohne dass die angerufene Person gefragt wird. Fragen Sie unterwegs etwas, oder zählen Sie die Versuche.",
  indistinctExits: (part) =>
    `Die Antworten ${inQuotes(part("one"))} und ${inQuotes(part("two"))} sind schwer auseinanderzuhalten: ${overlapOf(
      part("whole"),
      part("inner"),
    )}. ${adviceFor(part("one"), part("wordsOfOne"))} ${adviceFor(part("two"), part("wordsOfTwo"))}`,
  hiddenMachine:
    "Sagen Sie hier, dass eine Maschine spricht. Wer danach fragt, muss es erfahren, deshalb sagen Anrufe zusätzlich den Standardsatz.",
  vagueExit: (exit, examples) =>
    `Geben Sie der Antwort ${inQuotes(exit)} Formulierungen: Angerufene Personen sagen dieses Wort selten. Zum Beispiel ${examples.replaceAll(/"([^"]*)"/g, "„$1“")}.`,
  // The service words these in English.
  indistinctExitsMessage: () =>
    "Die Antworten dieser Frage sind schwer auseinanderzuhalten. Geben Sie ihnen Formulierungen, die klar sagen, worum es geht.",
  misunderstoodPhraseMessage: (_message, phrase) =>
    `Auf „${phrase}“ fragt der Agent womöglich nach. Formulieren Sie es als Satz, der sagt, was gemeint ist, oder geben Sie es der Antwort, die angerufene Personen damit meinen.`,
  misunderstoodPhrase: (phrase, exit, other) =>
    `Auf „${phrase}“ für „${exit}“ fragt der Agent womöglich nach: ${other === "" ? "Allein klingt es nicht nach einer Antwort auf die Frage" : `Es klingt eher nach „${other}“`}. Formulieren Sie es als Satz, der sagt, was „${exit}“ bedeutet, oder geben Sie es der Antwort, die angerufene Personen damit meinen.`,
  unspokenLanguage: (_message, engine, language) =>
    `${engine === "" ? "Die Engine dieses Agenten" : `Die Engine „${engine}“`} spricht ${language === "" ? "seine Sprache" : language} nicht, deshalb würden Anrufe abgelehnt. Wählen Sie in den Einstellungen eine andere Engine oder Sprache.`,
  unsuitedEngine: (_message, engine) =>
    `${engine === "" ? "Die Engine dieses Agenten" : `Die Engine „${engine}“`} führt nur Agenten, die aus einem einzigen Gespräch bestehen. Wählen Sie in den Einstellungen eine andere Engine, oder bauen Sie den Ablauf aus einem Gespräch.`,
  noOtherVoice: (_message, language) =>
    `Solange das Modell der Engine schweigt oder ersetzt wird, hört die angerufene Person nichts, weil keine andere Stimme ${language === "" ? "in dieser Sprache" : language} sprechen kann oder die Worte dafür fehlen. Legen Sie in den Einstellungen fest, wie der Agent um einen Moment bittet, oder nennen Sie in der Engine eine Stimme dafür.`,
  unusableMcpTool: (_message, tool) =>
    `Anrufe können das Werkzeug „${tool}“ des MCP-Servers nicht verwenden. Prüfen Sie es in den Einstellungen unter MCP-Server.`,
  untranslatedText: (text, language, more) =>
    `Übersetzen Sie „${text}“ in die Sprache ${language}${more === 0 ? "" : `, und ${more} weitere`}: Bis alles Gesprochene übersetzt ist, wird sie nicht angeboten.`,
};
