import type { WebhooksText } from "./text.tsx";

export const german: WebhooksText = {
  // deliveries.tsx
  deliveries: "Zustellungen",
  sendAgainSince: "Erneut senden seit…",
  filterDeliveries: "Zustellungen filtern",
  status: "Status",
  anyStatus: "Jeder Status",
  event: "Ereignis",
  anyEvent: "Jedes Ereignis",
  loadingDeliveries: "Zustellungen werden geladen",
  noMatchingDeliveries: "Keine passenden Zustellungen",
  nothingSentYet: "Noch nichts gesendet",
  noMatchText: "Keine Zustellung passt zu beiden Filtern.",
  emptyDeliveries: "Senden Sie einen Test oder starten Sie einen Anruf.",
  notTriedYet: "Noch nicht versucht",
  replayed: (count) => {
    if (count === 0) return "Es gab nichts zu senden.";
    return `${count} ${count === 1 ? "Ereignis ist" : "Ereignisse sind"} unterwegs.`;
  },
  sendAgain: "Erneut senden",
  replayLead: (keptDays) =>
    `Sendet alle Ereignisse seit diesem Zeitpunkt, die dieser Endpunkt abonniert hat, auch aus der Zeit vor seiner Einrichtung, bis zu ${keptDays} Tage zurück. Ereignisse behalten ihre ID, sodass ein Empfänger bereits gesehene überspringen kann.`,
  since: "Seit",
  skipAccepted: "Bereits angenommene Ereignisse überspringen",
  cancel: "Abbrechen",

  // delivery-page.tsx
  delivery: "Zustellung",
  theEndpoint: "Zum Endpunkt",
  loadingDelivery: "Zustellung wird geladen",
  sentAgain: "Das Ereignis ist erneut unterwegs.",
  state: "Zustand",
  eventId: "ID, jedes Mal dieselbe",
  call: "Anruf",
  happened: "Geschehen",
  accepted: "Angenommen",
  nextTry: "Nächster Versuch",
  about: "Details",
  attempts: "Versuche",
  attempt: (ordinal) => `Versuch ${ordinal}`,
  noAttempts: "Noch kein Versuch.",
  whatIsSent: "Was gesendet wird",
  body: "Inhalt",
  noAnswer: "Keine Antwort",
  whatWasAnswered: "Antwort des Servers",

  // endpoint-fields.tsx
  urlHint: "Ereignisse werden per POST dorthin gesendet. Antworten Sie binnen 15 Sekunden mit 2xx.",
  descriptionOptional: "Beschreibung (optional)",
  descriptionExample: "Bestellsystem",
  chooseAtLeastOne: "Wählen Sie mindestens eines.",
  additionalHeadersOptional: "Zusätzliche Header (optional)",
  newHeaders: "Neue Header anstelle der bisherigen",
  headers: "Header",
  headersExample: "Authorization: Bearer …",
  headersSent: (names) =>
    `Derzeit gesendet: ${names}. Die Werte werden nie angezeigt; leer lassen, um sie zu behalten.`,
  headersHint:
    "Einer pro Zeile, zum Beispiel Zugangsdaten für den Endpunkt. Werte werden verschlüsselt gespeichert und nie wieder angezeigt.",
  removeAllHeaders: "Alle Header entfernen",
  save: "Speichern",
  addEndpoint: "Endpunkt hinzufügen",
  events: "Ereignisse",
  allEvents: "Alle Ereignisse",
  allEventsHint: "Auch Ereignisarten späterer Versionen",
  selectedEvents: "Ausgewählte Ereignisse",
  headerMistake: (line) => `„${line}“ hat nicht die Form Name: Wert.`,

  // no-endpoint.tsx
  notFound: (mode) => `Nicht unter den Webhooks im ${mode === "test" ? "Testbetrieb" : "Livebetrieb"}`,
  notFoundText: "Er wurde vielleicht gelöscht oder gehört zum anderen Betrieb.",
  allEndpoints: "Alle Endpunkte",

  // deliveries.tsx: the test
  test: "Test",
  sendATest: "Test senden",
  waitingForAnswer: "Gesendet. Warten auf Antwort…",
  testLead:
    "Ein Ereignis webhook.test geht denselben Weg wie alle Ereignisse, nur an diesen Endpunkt, auch wenn er deaktiviert ist.",
  details: "Details",
  testAccepted: (status, latencyMs) => `Mit ${status} angenommen in ${latencyMs} ms.`,
  testRefused: (reason, again) => `Nicht angenommen: ${reason}${again === null ? "" : ` Nächster Versuch: ${again}.`}`,

  // verify-example.tsx
  checkTheSignature: "Signatur prüfen",
  signatureHeaders: (code) => (
    <>
      Jede Anfrage enthält {code("webhook-id")}, {code("webhook-timestamp")} und {code("webhook-signature")} nach den
      Regeln von Standard Webhooks. Ereignisse können doppelt kommen: Merken Sie sich die ID und überspringen Sie
      bereits gesehene.
    </>
  ),
  languages: "Sprachen",
  nodeComment: "Mit den Bytes, wie sie kamen, vor dem Parsen. Wirft, wenn die Signatur falsch oder zu alt ist.",
  python: "Python",
  pythonComment: "Mit den Bytes, wie sie kamen, vor dem Parsen. Löst aus, wenn die Signatur falsch oder zu alt ist.",
  withoutALibrary: "Ohne Bibliothek",
  rotationComment: "Während einer Erneuerung gibt es zwei Signaturen mit einem Leerzeichen dazwischen.",

  // webhook-labels.ts
  eventMeanings: {
    "call.initiated": "Ein Anruf wurde angelegt",
    "call.in_progress": "Ein Anruf wurde angenommen",
    "call.completed": "Ein Anruf endete ordnungsgemäß",
    "call.failed": "Ein Anruf wurde nie angenommen oder brach ab",
    "call.transcript.ready": "Ein Transkript kann abgerufen werden",
    "call.recording.ready": "Eine Aufnahme kann abgerufen werden",
    "call.analyzed": "Ein angenommener Anruf wurde ausgewertet",
    "credit.low": "Das Guthaben geht zur Neige (Livebetrieb)",
    "alert.raised": "Eine Warnung wurde ausgelöst",
    "alert.resolved": "Eine Warnung wurde behoben",
    "webhook.disabled": "Ein anderer Endpunkt wurde deaktiviert",
    "webhook.test": "Ein von Ihnen angeforderter Test",
  },
  deliveryStatus: {
    pending: "Unterwegs",
    delivered: "Zugestellt",
    failed: "Fehlgeschlagen",
    held: "Zurückgehalten",
  },
  disabledReason: {
    member: "Er wurde von Hand oder durch eine Anfrage abgeschaltet.",
    gone: "Er antwortete mit 410 Gone und will damit nie wieder etwas erhalten.",
    failing: "Er hat fünf Tage lang nichts angenommen.",
  },
  retrying: "Neuer Versuch",
  disabled: "Deaktiviert",
  failing: "Gestört",
  enabled: "Aktiv",
  eventKinds: (count) => `${count} Arten von Ereignissen`,

  // webhook-page.tsx
  endpoint: "Endpunkt",
  loadingEndpoint: "Endpunkt wird geladen",
  webhooks: "Webhooks",
  disabledNotice: (since, reason) =>
    `Deaktiviert${since === null ? "" : ` seit ${since}`}. ${reason} Ereignisse werden so lange zurückgehalten; aktivieren Sie den Endpunkt und senden Sie sie erneut.`,
  failingNotice: (since) =>
    `Seit ${since} wurde nichts angenommen. Fehlgeschlagene Zustellungen werden fünf Tage lang wiederholt; ein Endpunkt, der in dieser Zeit nichts annimmt, wird deaktiviert.`,
  description: "Beschreibung",
  none: "Keine",
  allIncludingLater: "Alle, auch die späterer Versionen",
  additionalHeaders: "Zusätzliche Header",
  lastAccepted: "Zuletzt angenommen",
  nothingYet: "Noch nichts",
  added: "Hinzugefügt",
  edit: "Bearbeiten",
  endpointEnabled: "Der Endpunkt ist aktiv.",
  endpointDisabled: "Der Endpunkt ist deaktiviert. Seine Ereignisse werden zurückgehalten.",
  disable: "Deaktivieren",
  enable: "Aktivieren",
  endpointChanged: "Der Endpunkt wurde geändert.",
  editEndpoint: "Endpunkt bearbeiten",
  editLead: "Auch ausstehende Zustellungen gehen an die neue URL.",
  endpointDeleted: "Der Endpunkt wurde gelöscht.",
  disableInstead: "Ein Endpunkt, der eine Zeit lang nicht gebraucht wird, lässt sich auch deaktivieren.",
  deleteEndpoint: "Endpunkt löschen",
  deleteQuestion: "Diesen Endpunkt löschen?",
  deleteConsequence: (url) => (
    <>
      An {url} wird nichts mehr gesendet. Sein Geheimnis und seine ausstehenden Zustellungen werden gelöscht. Das lässt
      sich nicht rückgängig machen.
    </>
  ),
  keepIt: "Behalten",
  deleteIt: "Löschen",
  signingSecret: "Signaturgeheimnis",
  secretLead:
    "Damit prüft Ihr Server, dass eine Anfrage von Parley stammt. Wer es kennt, kann solche Anfragen fälschen; deshalb wird das Anzeigen im Protokoll vermerkt.",
  previousSecretUntil: (until) =>
    `Bis ${until} werden Ereignisse auch mit dem vorherigen Geheimnis signiert. Stellen Sie Ihren Empfänger bis dahin auf das neue um.`,
  secret: "Geheimnis",
  previousSecret: "Vorheriges Geheimnis",
  hide: "Verbergen",
  showSecret: "Geheimnis anzeigen",
  rotate: "Erneuern",
  rotateQuestion: "Geheimnis erneuern?",
  rotateAgainConsequence:
    "Das Geheimnis wurde innerhalb des letzten Tages bereits erneuert. Das vorherige gilt sofort nicht mehr; das jetzige bleibt neben dem neuen noch 24 Stunden gültig.",
  rotateConsequence:
    "24 Stunden lang trägt jede Anfrage zwei Signaturen, eine mit dem alten und eine mit dem neuen Geheimnis; ein Empfänger mit einem von beiden nimmt sie an. Danach gilt das alte Geheimnis nicht mehr.",
  keepSecret: "Geheimnis behalten",
  rotateSecret: "Geheimnis erneuern",

  // webhooks-page.tsx
  lead: (mode) =>
    `Anfragen an Ihren Server, wenn bei ${mode === "test" ? "Testanrufen" : "echten Anrufen"} etwas geschieht.`,
  endpoints: "Endpunkte",
  loadingEndpoints: "Endpunkte werden geladen",
  noEndpointYet: (mode) => `Noch kein Endpunkt für ${mode === "test" ? "Testanrufe" : "echte Anrufe"}`,
  emptyList:
    "Fügen Sie eine URL auf Ihrem Server hinzu. Jedes Ereignis wird signiert, fünf Tage lang wiederholt und 90 Tage aufbewahrt, sodass es erneut gesendet werden kann.",
  endpointsMax: (count) => `In jedem Betrieb sind ${count} Endpunkte möglich.`,
  acceptsNothingSince: (when) => `Nimmt nichts an seit ${when}`,
  lastAcceptedWhen: (when) => `Zuletzt angenommen ${when}`,
  addToTestLead: "Er erhält die Ereignisse von Testanrufen.",
  addToLiveLead: "Er erhält die Ereignisse echter Anrufe.",
  endpointAdded: "Endpunkt hinzugefügt",
  secretOfNewEndpoint:
    "Richten Sie Ihren Empfänger mit diesem Geheimnis ein, damit er Anfragen prüfen kann. Sie finden es später auf der Seite des Endpunkts wieder.",
  close: "Schließen",
  openEndpoint: "Endpunkt öffnen",
};
