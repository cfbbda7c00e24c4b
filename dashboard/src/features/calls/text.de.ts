import type { Call } from "@parley/contract/calls";
import type { IncidentKind } from "@parley/contract/incidents";
import { formatCount } from "../../languages/language.ts";
import type { CallsText } from "./text.ts";

const WHY_QUEUED: Readonly<Record<NonNullable<Call["waiting"]>["reason"], string>> = {
  concurrency_limit:
    "Das Konto führt so viele Anrufe, wie es gleichzeitig darf. Dieser wird gewählt, wenn ein anderer endet.",
  rate_limit: "Das Konto startet so viele Anrufe pro Sekunde, wie es darf. Dieser kommt an die Reihe.",
  capacity:
    "Alle Maschinen sind mit anderen Anrufen ausgelastet. Dieser wird gewählt, sobald er gut geführt werden kann.",
  no_worker: "Es läuft kein Prozess, der Anrufe führt. Der Anruf wird gewählt, sobald es einen gibt.",
  next: "Der Anruf wird gleich gewählt.",
};

/** The time is what the service says it lasted, if it says so. */
const EFFECTS: Readonly<Record<IncidentKind, (time: string | null) => string>> = {
  hearing_failed: (time) => `Wir konnten die angerufene Person ${time ?? "eine Weile"} nicht hören.`,
  recognition_failed: () => "Wir konnten etwas nicht verstehen, was die angerufene Person gesagt hat.",
  speech_failed: () => "Der Agent konnte etwas nicht sagen, was er sagen sollte.",
  speech_late: () => "Die angerufene Person wartete länger als üblich, bis der Agent sprach.",
  voice_changed: () => "Der Agent sagte etwas mit einer anderen Stimme.",
  model_failed: () => "Der Agent musste ohne Antwort eines Sprachmodells auskommen oder wartete länger darauf.",
  tool_failed: () => "Eine Anfrage des Agenten wurde nicht gesendet.",
  agent_failed: () => "Der Agent konnte einen Schritt seines Ablaufs nicht ausführen.",
  conversation_failed: () => "Das Gespräch brach ab.",
  audio_late: (time) => `Der Ton des Anrufs setzte ${time ?? "eine Weile"} aus.`,
  not_heard: (time) => `Die angerufene Person hat den Agenten womöglich ${time ?? "eine Weile"} nicht gehört.`,
  recording_failed: () => "Von diesem Anruf gibt es keine Aufnahme.",
  recording_gap: (time) => (time ? `In der Aufnahme fehlen ${time}.` : "Ein Teil der Aufnahme fehlt."),
  transcript_late: () => "Das Transkript wurde verspätet gespeichert. Es fehlt nichts darin.",
  worker_lost: () => "Der Anruf wurde abgebrochen.",
};

/** The time that a sentence of the service names. */
function timeIn(sentence: string): string | null {
  const [, seconds] = /\b(\d+) seconds?\b/.exec(sentence) ?? [];
  if (seconds === undefined) return null;
  return seconds === "1" ? "1 Sekunde" : `${seconds} Sekunden`;
}

export const german: CallsText = {
  // back-to-calls.tsx
  calls: "Anrufe",
  batches: "Sammelaufträge",

  // call-check.tsx
  notCallable: (why) => `Diese Nummer kann nicht angerufen werden: ${why}.`,
  waitsUntil: (until) =>
    until === null
      ? "Der Anruf wartet, bis dort die Anrufzeiten beginnen."
      : `Der Anruf wartet bis ${until}, wenn dort die Anrufzeiten beginnen.`,
  callable: "Diese Nummer kann jetzt angerufen werden.",
  severalTimeZones: "mehrere Zeitzonen",
  localTime: (times) => `Ortszeit ${times.join(" oder ")}`,
  noRate: "kein Tarif für diese Nummer",
  perMinute: (price) => `${price} pro Minute`,
  notCharged: "nicht berechnet",

  // call-columns.ts
  time: "Zeit",
  agent: "Agent",
  howItEnded: "Wie er endete",
  result: "Ergebnis",
  answeredBy: "Angenommen von",
  engine: "Engine",
  version: "Version",
  draft: "Entwurf",
  network: "Netz",
  duration: "Dauer",
  cost: "Kosten",

  // call-filter.ts
  searchNeedsWord: "Geben Sie ein Wort, einen Teil einer Telefonnummer oder eine Anruf-ID ein.",

  // call-filters.tsx
  filterCalls: "Anrufe filtern",
  status: "Status",
  anyStatus: "Jeder Status",
  anyAgent: "Alle Agenten",
  endReason: "Grund des Endes",
  anyEnding: "Jedes Ende",
  clear: "Zurücksetzen",
  engineFilter: (name) => `Engine: ${name}`,
  outcomeFilter: (outcome) => `Ergebnis: ${outcome}`,
  keyFilter: (key) => `API-Schlüssel: ${key}`,
  placedByMembers: "Von Mitgliedern gestartet",
  moreFilters: "Weitere Filter",
  removeFilter: "Filter entfernen:",
  callCount: ({ count, isExact }) =>
    isExact && count === 1 ? "1 Anruf" : `${isExact ? "" : "über "}${formatCount(count)} Anrufe`,
  matchCount: ({ count, isExact }) =>
    isExact && count === 1 ? "1 Treffer" : `${isExact ? "" : "über "}${formatCount(count)} Treffer`,
  searchCalls: "Anrufe durchsuchen",
  searchPlaceholder: "Nummer, Wörter, ID oder Metadaten",
  last24Hours: "Letzte 24 Stunden",
  last7Days: "Letzte 7 Tage",
  last30Days: "Letzte 30 Tage",
  last90Days: "Letzte 90 Tage",
  period: "Zeitraum",
  anyTime: "Jederzeit",
  custom: "Eigener …",
  dates: "Tage",
  firstDay: "Von",
  lastDay: "bis",

  // call-labels.ts
  endReasonNames: {
    callee_hangup: "Die angerufene Person legte auf",
    agent_hangup: "Der Agent verabschiedete sich",
    api_hangup: "Auf Anforderung aufgelegt",
    transferred: "An eine Person weitergeleitet",
    voicemail_hangup: "Mailbox, aufgelegt",
    voicemail_left: "Nachricht auf Mailbox hinterlassen",
    max_duration: "Höchstdauer erreicht",
    silence: "Die angerufene Person schwieg",
    no_answer: "Nicht angenommen",
    busy: "Besetzt",
    declined: "Abgelehnt",
    blocked: "Vom Netz der angerufenen Person blockiert",
    invalid_number: "Die Nummer existiert nicht",
    unreachable: "Nicht erreichbar",
    canceled: "Abgebrochen",
    expired: "In der Warteschlange abgelaufen",
    carrier_rejected: "Vom Anbieter abgelehnt",
    carrier_unavailable: "Der Anbieter war nicht verfügbar",
    media_timeout: "Der Ton brach ab",
    no_audio: "Es kam kein Ton durch",
    fax: "Ein Faxgerät nahm an",
    engine_error: "Auf unserer Seite fehlgeschlagen",
    insufficient_credit: "Das Guthaben war aufgebraucht",
    spend_limit: "Ein Ausgabenlimit wurde erreicht",
    destination_blocked: "Dieses Ziel ist nicht erlaubt",
    suppressed: "Die Nummer steht auf der Sperrliste",
    outside_calling_hours: "Außerhalb der Anrufzeiten",
    worker_lost: "Der Dienst wurde unterbrochen",
    internal_error: "Auf unserer Seite ist etwas fehlgeschlagen",
  },
  phase: {
    scheduled: "Geplant",
    queued: "Wartet",
    dialing: "Wählt",
    ringing: "Klingelt",
    talking: "Im Gespräch",
    ended: "Beendet",
  },
  statusNames: {
    initiated: "Wird gewählt",
    in_progress: "Läuft",
    completed: "Abgeschlossen",
    failed: "Fehlgeschlagen",
  },
  answeredByNames: {
    human: "Person",
    voicemail: "Mailbox",
    ivr: "Telefonmenü",
    screening: "Anruffilter",
    fax: "Faxgerät",
    unknown: "Unbekannt",
  },
  event: {
    "call.initiated": "Angenommen",
    "call.dialing": "Wählt",
    "call.rerouted": "Anderer Trunk wird versucht",
    "call.ringing": "Klingelt",
    "call.early_media": "Ton vor dem Abnehmen",
    "call.in_progress": "Abgenommen",
    "call.answered_by": "Erkannt, wer abgenommen hat",
    "call.language_noticed": "Andere Sprache erkannt",
    "call.transcript_extended": "Etwas wurde gesagt oder getan",
    "call.number_suppressed": "Die angerufene Person möchte nicht mehr angerufen werden",
    "call.incident": "Auf unserer Seite ist etwas fehlgeschlagen",
    "call.recording_failed": "Die Aufnahme ist fehlgeschlagen",
    "call.audio_missing": "Kein Ton von der angerufenen Person",
    "call.audio_returned": "Ton der angerufenen Person ist wieder da",
    "call.key_pressed": "Eine Taste wurde gedrückt",
    "call.transfer": "Weitergeleitet",
    "call.hangup_requested": "Auflegen angefordert",
    "call.hold_extended": "Mehr Guthaben reserviert",
    "call.completed": "Abgeschlossen",
    "call.failed": "Fehlgeschlagen",
    "call.transcript.ready": "Das Transkript ist fertig",
    "call.recording.ready": "Die Aufnahme ist fertig",
    "call.analyzed": "Ausgewertet",
    "call.reanalyzed": "Erneut ausgewertet",
    "call.redial_scheduled": "Die angerufene Person wird noch einmal angerufen",
    "call.redial_refused": "Die angerufene Person kann nicht noch einmal angerufen werden",
    "call.data_erased": "Inhalte des Anrufs wurden gelöscht",
  },
  trunkNotChosen: "Ein Trunk, noch nicht ausgewählt",
  simulatedNetwork: "Simuliertes Netz",
  aFriendlyPerson: "Eine freundliche Person",
  someoneWhoInterrupts: "Jemand, der unterbricht",
  someoneWhoSpeaksSlowly: "Jemand, der langsam spricht",
  voicemail: "Mailbox",
  callScreening: "Anruffilter",
  aMenuPress1: "Ein Telefonmenü (1 drücken)",
  someoneWhoStaysSilent: "Jemand, der schweigt",
  busy: "Besetzt",
  noAnswer: "Nimmt nicht ab",
  failed: "Fehlgeschlagen",
  completed: "Abgeschlossen",
  versionNumber: (number) => `Version ${number}`,
  cause: (sentence, count) =>
    count > 1 ? `Ursache: ${sentence} (${formatCount(count)}-mal).` : `Ursache: ${sentence}.`,
  incidentEffect: ({ what, effect }) => {
    const [happened = "", notCharged] = effect.split(
      / (?=(?:The call|\d+ seconds? of the call) (?:was|were) not charged\.$)/,
    );
    const sentence = EFFECTS[what](timeIn(happened));
    if (notCharged === undefined) return sentence;
    return `${sentence} Nicht berechnet: ${timeIn(notCharged) ?? "der ganze Anruf"}.`;
  },

  // call-views.tsx
  views: "Ansichten",
  noSavedViews: "Keine gespeicherten Ansichten",
  saveCurrentView: "Aktuelle Ansicht speichern …",
  deleteViews: "Ansichten löschen …",
  viewSaved: (name) => `Ansicht „${name}“ gespeichert.`,
  saveView: "Ansicht speichern",
  saveViewLead: "Speichert die Filter und die Sortierung für alle in diesem Konto.",
  viewOfAllCalls: "Es sind keine Filter gesetzt; diese Ansicht zeigt also alle Anrufe.",
  name: "Name",
  replacesView: "Ersetzt die Ansicht mit diesem Namen.",
  cancel: "Abbrechen",
  viewDeleted: (name) => `Ansicht „${name}“ gelöscht.`,
  savedViews: "Gespeicherte Ansichten",
  noSavedViewsLeft: "Keine gespeicherten Ansichten.",
  deleteView: (name) => `${name} löschen`,
  done: "Fertig",
  columns: "Spalten",
  rowHeight: "Zeilenhöhe",
  comfortable: "Normal",
  compact: "Kompakt",

  // calls-page.tsx
  testLead: "Testanrufe bleiben im simulierten Netz und sind kostenlos.",
  view: "Ansicht",
  allCalls: "Alle Anrufe",
  inProgress: "Laufende",
  exportCsv: "CSV-Export",
  newCall: "Neuer Anruf",
  filtersCleared: "Filter zurückgesetzt.",
  nothingToSearchFor: "Kein Suchbegriff",
  callsHaveChanged: "Anrufe haben sich geändert. Liste aktualisieren",
  clearFilters: "Filter zurücksetzen",
  loadingCalls: "Anrufe werden geladen",
  noMatchingCalls: "Keine passenden Anrufe",
  noMatchingCallsHint: "Kein Anruf entspricht allen Filtern.",
  firstCallTitle: "Ihr erster Anruf",
  noLiveCallsYet: "Noch keine Anrufe im Livebetrieb",
  firstCallHint:
    "Lassen Sie einen Beispielagenten eine simulierte Person anrufen, verfolgen Sie den Anruf live und hören und lesen Sie ihn danach hier nach.",
  noLiveCallsHint:
    "Anrufe, die mit einem Live-Schlüssel oder auf dieser Seite im Livebetrieb gestartet werden, erscheinen hier sofort.",
  placeTestCall: "Testanruf starten",
  createApiKey: "API-Schlüssel erstellen",

  // calls-table.tsx
  number: "Nummer",
  fetchingMoreCalls: "Weitere Anrufe werden geladen",
  foundIn: (place, name) => {
    switch (place) {
      case "speech":
        return name === "agent" ? "Agent:" : "Angerufene Person:";
      case "metadata":
        return `${name}:`;
      case "tag":
        return "Schlagwort:";
      case "note":
        return "Notiz:";
    }
  },
  problemOnOurSide: "Problem auf unserer Seite",

  // live-board.tsx
  talking: "Im Gespräch",
  dialing: "Wählt",
  waiting: "Warten",
  loadingLiveCalls: "Laufende Anrufe werden geladen",
  noCallsInProgress: "Keine laufenden Anrufe",
  noCallsInProgressHint: "Anrufe erscheinen hier, solange sie warten, klingeln oder im Gespräch sind.",
  none: "Keine",
  showingSome: (shown, total) =>
    `${formatCount(shown)} von ${formatCount(total)} Anrufen werden gezeigt. Die übrigen warten.`,
  callee: "Angerufene Person",
  quoted: (text) => `„${text}“`,
  scheduledFor: (time) => `Geplant für ${time}`,
  waitingForCallingHours: "Wartet auf die Anrufzeiten",
  aboutToBeDialed: "Wird gleich gewählt",
  whyQueued: ({ reason }) => WHY_QUEUED[reason],
  ringing: "Klingelt",
  waitingForCallee: "Wartet, dass die angerufene Person spricht",
  waitingForAgent: "Wartet auf die Antwort des Agenten",
  waitingForRequest: (request) => `Wartet auf die Anfrage „${request}“`,
  transferredToAPerson: "An eine Person weitergeleitet",

  // new-call-dialog.tsx
  callAgain: "Noch einmal anrufen",
  newTestCallLead: "Geht ins simulierte Netz und ist kostenlos.",
  newLiveCallLead: "Wird von Ihrem Guthaben abgezogen.",
  whoAnswers: "Wer abnimmt",
  whoAnswersHint: "Die letzten Ziffern der Nummer bestimmen, wer simuliert wird.",
  phoneNumber: "Telefonnummer",
  numberProblem: "Geben Sie die Nummer mit Ländervorwahl ein, zum Beispiel +1 555 010 0001.",
  speaks: (language) => `Spricht ${language}`,
  variableRequired: "Pflichtangabe: Der Agent sagt dies in einem Satz.",
  mayMissValues: "Ohne die fehlenden Werte anrufen",
  mayMissValuesHint: "Der Agent lässt sie in seinen Sätzen weg.",
  moreOptions: "Weitere Optionen",
  callAtOptional: "Anrufen um (optional)",
  callAtHint: "In Ihrer Zeitzone. Leer lassen, um sofort anzurufen.",
  timeInPast: "Wählen Sie einen Zeitpunkt in der Zukunft.",
  callerIdOptional: "Anrufernummer (optional)",
  callerIdHint: "Die Nummer, die die angerufene Person sieht. Standard: die des Trunks.",
  callerIdProblem: "Geben Sie sie mit Ländervorwahl ein.",
  engineOfAgent: "Die Engine des Agenten",
  engineOfAgentNamed: (engine) => `Die Engine des Agenten (${engine})`,
  engineOfAgentDefault: "Die Engine des Agenten (Standard)",
  metadataOptional: "Metadaten (optional)",
  metadataHint:
    "Kommen mit dem Anruf zurück und sind durchsuchbar. Eine Angabe pro Zeile, zum Beispiel bestellung=4711",
  scheduleCall: "Anruf planen",
  callNow: "Jetzt anrufen",
  variables: "Was der Agent wissen muss",
  example: (value) => `Beispiel: ${value}`,
  optional: (name) => `${name} (optional)`,

  // read-pairs.ts
  lineWithoutEquals: (line) => `Zeile ${line} hat kein Gleichheitszeichen. Schreiben Sie name=wert.`,
  lineWithoutName: (line) => `Zeile ${line} hat keinen Namen vor dem Gleichheitszeichen.`,
  lineRepeatsName: (line, name) => `Zeile ${line} wiederholt den Namen ${name}.`,

  // shared-call-page.tsx
  sharedCall: "Geteilter Anruf",
  linkInvalid: "Dieser Link funktioniert nicht",
  linkInvalidHint: "Er ist abgelaufen oder wurde widerrufen. Bitten Sie um einen neuen.",
  loadingCall: "Anruf wird geladen",
  callTo: (phoneNumber) => `Anruf an ${phoneNumber}`,
  recording: "Aufnahme",
  nothingSaid: "In diesem Anruf wurde nichts gesagt.",
  transcript: "Transkript",
  linkWorksUntil: (time) => `Dieser Link funktioniert bis ${time}.`,
};
