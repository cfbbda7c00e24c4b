import { germanMistake } from "./mistakes.de.ts";
import type { EditorFieldsText } from "./text.tsx";

/** The help texts of the schema by the pattern of the field; those of one kind of node have its name before a colon. */
const HELP: Readonly<Record<string, string>> = {
  label: "Ein Titel für die Anzeige im Editor. Standard: die ID.",
  global: "Mit einer der Formulierungen kommt die angerufene Person von jeder Frage aus hierher.",
  "global.phrases": "Formulierungen, die hierher führen, etwa `Ich möchte mit einem Menschen sprechen`.",
  "global.returns": "Nur für eine Ansage ohne weiteren Weg: Danach wird die offene Frage erneut gestellt.",
  text: "Was der Agent sagt, mit Platzhaltern wie `{{name}}`.",
  "ask:text": "Die Frage, mit Platzhaltern wie `{{name}}`.",
  "conversation:text": "Wird zu Beginn gesprochen. Standard: Das Modell beginnt.",
  "transfer:text": "Wird gesprochen, bevor die angerufene Person verbunden wird.",
  "voicemail:text": "Die Nachricht nach dem Signalton. Sie kann nur Variablen enthalten.",
  "end:text": "Wird gesprochen, bevor der Agent auflegt.",
  interruptible:
    "Ob die angerufene Person dazwischensprechen kann. Standard: die Einstellung des Agenten; ein Ende wird nie unterbrochen.",
  "settings:interruptible": "Standard: ja.",
  patience: "Wie lange der Agent auf weitere Wörter wartet, bevor er antwortet. Standard: die Einstellung des Agenten.",
  "settings:patience": "Standard: normal.",
  reworded: "Die Frage in anderen Worten, falls die angerufene Person sie nicht verstanden hat.",
  answer: "Die Art der Antwort; sie bestimmt, wie sie verstanden wird.",
  saveAs: "Der Name, unter dem die Antwort gespeichert wird.",
  exits: "Der nächste Baustein für jede Antwort: `yes`, `no` oder eine der Auswahlmöglichkeiten.",
  "exits[].when": "Die Antwort: `yes`, `3`, `2026-01-31` oder eine der Auswahlmöglichkeiten.",
  "exits[].phrases": "Andere Formulierungen; nur bei Ja oder Nein und bei einer Auswahl.",
  "exits[].readBack":
    "So liest der Agent diese Auswahl vor, etwa `Sie möchten an einem anderen Tag kommen`. Standard: aus der Antwort gebildet.",
  "exits[].key":
    "Die Taste für diese Möglichkeit; nur bei einer Auswahl. Hat kein Ausgang eine Taste, wird ab 1 durchnummeriert.",
  next: "Der nächste Baustein für eine Antwort ohne eigenen Ausgang. Standard: wie bei nicht verstandenen Antworten.",
  otherwise: "Der nächste Baustein für jede andere Antwort.",
  retries:
    "Wie oft die Frage erneut gestellt wird, bevor es beim Ausgang für nicht Verstandenes weitergeht. Standard: die Einstellung des Agenten.",
  "settings:retries": "Für jede Frage ohne eigene Wiederholungen. Standard: keine.",
  "retries.max": "Wie oft die Frage nach einer nicht verstandenen Antwort erneut gestellt wird.",
  "retries.texts":
    "Der Text jeder Wiederholung; der letzte wird wiederholt. Standard: eine Entschuldigung und die Frage.",
  confirm: "Liest die Antwort vor und übernimmt sie nach einem Ja. Nicht bei Ja oder Nein.",
  "confirm.text": "Mit `{{answer}}`. Standard: `That's {{answer}}, is that right?`",
  range: "Bei Zahlen: der zulässige Bereich.",
  digits: "Bei Ziffern: die zulässige Länge.",
  dates:
    "Bei einem Datum: ob ein Datum ohne Jahr in der Zukunft oder in der Vergangenheit liegt. Standard: in der Zukunft.",
  "conversation:prompt": "Anweisungen und Wissen für das Modell.",
  "conversation:model":
    "Das bevorzugte Sprachmodell mit seinem Namen in der Liste der Engines, etwa `openai/gpt-5.4-mini`. Standard: das erste der Installation. Ist es nicht eingerichtet, fällt es aus oder antwortet es nicht rechtzeitig, werden die anderen verwendet.",
  "conversation:tools": "Die Werkzeuge des Ablaufs, die das Modell verwenden darf.",
  "conversation:mcpTools":
    "Werkzeuge der MCP-Server des Kontos, die das Modell verwenden darf. Nur freigegebene werden ihm angeboten.",
  "conversation:mcpTools[].server": "Der Name des MCP-Servers.",
  "conversation:mcpTools[].tool": "Der Name des Werkzeugs auf diesem Server.",
  "conversation:exits":
    "Wann das Gespräch vorbei ist, in einfachen Worten, etwa `die Person möchte einen Tisch reservieren`.",
  "conversation:exits[].when": "In einfachen Worten, etwa `die Person hat es eilig`.",
  "conversation:saves": "Werte, die das Modell beim Verlassen über einen Ausgang angibt.",
  "saves[].saveAs": "Der Name, unter dem der Wert gespeichert wird.",
  "conversation:saves[].kind": "Standard: Text.",
  "conversation:saves[].description": "Sagt dem Modell, welchen Wert es angeben soll.",
  "conversation:turnsMax": "Standard: 30.",
  "conversation:optional":
    "Ob der Ablauf ohne dieses Gespräch auskommt: Ist kein Sprachmodell eingerichtet, werden Anrufe angenommen und beim Ausgang „Zu viele Beiträge“ fortgesetzt. Standard: nein.",
  "conversation:otherwise":
    "Der nächste Baustein nach der Höchstzahl der Beiträge, oder wenn kein Modell verfügbar ist.",
  "branch:exits": "Bedingungen wie `collected.guests > 6`, der Reihe nach; die erste zutreffende gilt.",
  "branch:exits[].when": "Eine Bedingung mit Namen wie `collected.day`.",
  "branch:prompts": "Bedingungen in einfachen Worten; ein Sprachmodell prüft sie, wenn keine der anderen zutrifft.",
  "branch:prompts[].when": "In einfachen Worten, etwa `die Person hat es eilig`.",
  "branch:model":
    "Das Sprachmodell, das sie prüft, mit seinem Namen in der Liste der Engines. Standard: das erste der Installation.",
  "branch:otherwise": "Der nächste Baustein, wenn keine zutrifft.",
  "request.method": "`GET` liest und hat keinen Inhalt; für alles andere erwarten die meisten Dienste `POST`.",
  "request.url": "Kann Platzhalter in Pfad und Query enthalten, nicht im Host.",
  "request.headers": "Header, mit Platzhaltern wie `{{name}}`.",
  "request.body":
    "Beliebiges JSON. Ein Text, der nur aus `{{name}}` besteht, wird zum Wert selbst, etwa zu einer Zahl.",
  "request.timeoutMs": "Standard: 5000.",
  filler: "Wird gesprochen, wenn die Anfrage länger dauert, als in den Einstellungen vorgesehen.",
  "tool:saves": "Werte, die aus der Antwort gespeichert werden.",
  "tool:saves[].path": "Die Stelle in der Antwort, etwa `slots[0].start`.",
  "tool:saves[].kind": "Standard: Text. Ein Wert anderer Art wird nicht gespeichert.",
  "tool:next": "Der nächste Baustein nach einer Antwort mit einem Status von 200 bis 299.",
  "tool:failed": "Der nächste Baustein nach jeder anderen Antwort oder bei Zeitüberschreitung.",
  "set:values": "Namen, jeweils mit einem Ausdruck wie `collected.guests + 1`.",
  "set:values[].saveAs": "Der Name, unter dem der Wert gespeichert wird.",
  "set:values[].value": "Ein Ausdruck; Texte stehen in Anführungszeichen.",
  "transfer:to": "Eine Telefonnummer mit Pluszeichen, oder ein `{{name}}`, der eine enthält.",
  "transfer:how": "Standard: automatisch.",
  "transfer:failed": "Der nächste Baustein, wenn die Nummer nicht angerufen werden darf oder niemand abnimmt.",
  outcome: "Das Ergebnis eines Anrufs, der hier endet, etwa `confirmed`. Erscheint in der Auswertung des Anrufs.",
  success: "Ob ein Anruf, der hier endet, erfolgreich ist. Erscheint in der Auswertung des Anrufs.",
  "dtmf:keys": "Zu drückende Tasten: Ziffern, `*` und `#`, oder ein `{{name}}`.",
  "settings:greeting": "Ob der Agent die ersten Worte der angerufenen Person abwartet. Standard: ja.",
  "settings:disclosure":
    "Weist darauf hin, dass dies ein automatischer Anruf ist und dass er aufgezeichnet wird; einmal gesprochen, nach einer ersten Ansage oder vor allem anderen.",
  "settings:identification":
    "Wer anruft und warum, falls die angerufene Person oder eine Anrufprüfung danach fragt. Standard: der erste Text.",
  "settings:voice":
    "Eine natürliche Stimme wie `af_heart` (Standard) oder eine leichtgewichtige wie `slt`, die nach Roboter klingt und weniger Rechenzeit braucht.",
  "settings:pace": "Wie schnell der Agent spricht: 0,7 ist langsam, 1,3 schnell. Standard: 1.",
  "settings:pronunciations":
    "Wie Wörter ausgesprochen werden, zusätzlich zur Liste des Kontos; die Einträge des Agenten haben Vorrang.",
  "settings:pronunciations[].written":
    "Das Wort oder die Wendung in Schreibweise. Groß- und Kleinschreibung sind gleich.",
  "settings:pronunciations[].spoken": "Die Aussprache: eine Umschrift in Buchstaben oder IPA zwischen Schrägstrichen.",
  "settings:silence":
    "Wird der Reihe nach gesprochen, wenn die angerufene Person schweigt; danach folgt die offene Frage erneut.",
  "settings:holdMusic": "Wie lange der Agent wartet, wenn er mit Musik in die Warteschleife gestellt wird.",
  "settings:holdMusic.askAfterMs":
    "Wann der Agent einmal in die Musik hinein fragt, ob jemand da ist. Standard: 20000.",
  "settings:holdMusic.giveUpAfterMs": "Wann er sich verabschiedet und auflegt. Standard: 60000.",
  "settings:voicemail": "Standard: Nachricht hinterlassen, wenn der Ablauf einen Mailbox-Baustein hat, sonst auflegen.",
  "settings:phoneMenu": "Der nächste Baustein, wenn ein Telefonmenü antwortet. Standard: auf einen Menschen warten.",
  "settings:fillerAfterMs":
    "Wie lange eine Anfrage dauern darf, bevor die Überbrückung gesprochen wird. Standard: 800.",
  "settings:secondOpinion":
    "Ob neben den Regeln ein eingerichtetes Sprachmodell gefragt wird, was gemeint war. Es kann eine Antwort nur anzweifeln oder bestätigen und darauf hinweisen, was für spätere Fragen schon gesagt wurde. Standard: ja.",
  "settings:connectAfterFailures":
    "Ob eine angerufene Person, deren Antwort in keiner Wiederholung verstanden wird, mit einem Menschen verbunden wird, bevor der Anruf enden würde: über den überall erreichbaren Baustein dafür oder die einzige Weiterleitung des Ablaufs. Standard: nein.",
  "settings:callback":
    "Was folgt, wenn die angerufene Person um einen späteren Anruf bittet oder ihn auf Angebot wünscht. Die Zeit wird in jedem Fall als `callback` erfasst.",
  "settings:callback.offer":
    "Ob einer angerufenen Person, deren Antwort in keiner Wiederholung verstanden wird, ein Rückruf angeboten wird, bevor der Anruf enden würde. Standard: ja, wenn automatisch zurückgerufen wird, sonst nein.",
  "settings:callback.redial":
    "Ob eine angerufene Person, die später angerufen werden möchte, zur genannten Zeit innerhalb der Anrufzeiten erneut angerufen wird. Standard: nein.",
  "settings:callback.redialsMax": "Wie oft das hintereinander geschehen kann. Standard: 1.",
  "settings:callback.laterAfterMinutes": "Wann erneut angerufen wird, wenn keine Zeit genannt wurde. Standard: 120.",
  "settings:limits": "Nach so vielen Beiträgen der angerufenen Person verabschiedet sich der Agent.",
  "settings:limits.turnsMax": "Standard: 200.",
  "settings:phrases": "Eigene Texte anstelle der Standardsätze des Agenten, zum Beispiel in einer anderen Sprache.",
  "settings:translations":
    "Die Texte des Agenten in anderen Sprachen. Wer in einer davon antwortet, wird in dieser Sprache gefragt, ob das Gespräch darin weitergehen soll.",
  "settings:translations[].texts":
    "Jeder gesprochene Text des Ablaufs sowie die Namen und Formulierungen der Auswahlmöglichkeiten mit ihrer Übersetzung. Platzhalter bleiben unverändert. Die Sprache wird nur angeboten, wenn alles Gesprochene übersetzt ist.",
  "model_tool:name": "Der Name, den das Modell und das Transkript verwenden.",
  "model_tool:description": "Sagt dem Modell, was das Werkzeug tut und wann es zu verwenden ist.",
  parameters: "Werte, die das Modell angibt. In der Anfrage als `{{name}}` verwendbar.",
  "parameters[].name": "In der Anfrage als `{{name}}` verwendbar.",
  "parameters[].kind": "Die Art des Werts.",
  "parameters[].description": "Sagt dem Modell, welchen Wert es angeben soll.",
  "parameters[].required": "Standard: nein, das Modell darf ihn weglassen.",
};

export const german: EditorFieldsText = {
  // choice-fields.tsx
  nowhere: "Nirgendwohin",
  targetIsMissing: (nodeId) => `${nodeId} (nicht vorhanden)`,
  showWhereLeads: (label) => `Ziel von „${label}“ zeigen`,
  yes: "Ja",
  no: "Nein",
  noTools: "Dieser Ablauf hat noch keine. Sie werden in den Einstellungen des Agenten unter „Werkzeuge“ angelegt.",
  toolIsMissing: "nicht vorhanden",
  noMcpTools: "Noch keines ist freigegeben. Sie werden in den Einstellungen unter „MCP-Server“ hinzugefügt.",
  toolIsNotApproved: "nicht freigegeben",
  defaultModel: (name) =>
    name === undefined ? "Das Modell der Installation" : `Das Modell der Installation (${name})`,
  modelsUnknown: "Es ließ sich nicht feststellen, welche Modelle eingerichtet sind.",
  modelNotSetUp: (wished) => `${wished} (nicht eingerichtet)`,
  noModels: "Kein Sprachmodell ist eingerichtet",
  connectModel: (link) => (
    <>
      Ein Schlüssel genügt: {link("unter Betreiber > Anbieter verbinden")}. Bei mehreren wählen Sie hier, welches dieser
      Baustein befragt.
    </>
  ),
  askOperator:
    "Bitten Sie den Betreiber dieser Installation, unter Betreiber > Anbieter eines zu verbinden. Bei mehreren wählen Sie hier, welches dieser Baustein befragt.",
  asksInstead: (model) => `Anrufe verwenden stattdessen ${model}.`,
  asksModels: (model, others) =>
    `${model === null ? "" : `Anrufe verwenden ${model}. `}${
      others.length === 0
        ? "Es ist das einzige, das eingerichtet ist."
        : `Wenn es ausfällt oder nicht rechtzeitig antwortet: ${others.join(", dann ")}.`
    }`,

  // field-editor.tsx
  expressionHint: "Namen und Funktionen werden beim Schreiben vorgeschlagen.",

  // The compiler words mistakes in expressions, in English.
  mistake: germanMistake,

  // field-labels.ts
  labels: {
    text: "Text",
    "ask:text": "Die Frage",
    "conversation:text": "Erste Worte (optional)",
    "transfer:text": "Worte davor (optional)",
    "end:text": "Letzte Worte (optional)",
    "voicemail:text": "Die Nachricht",
    reworded: "Die Frage in anderen Worten",
    answer: "Art der Antwort",
    saveAs: "Antwort speichern als",
    exits: "Erwartete Antworten",
    "branch:exits": "Bedingungen",
    "conversation:exits": "Vorbei, wenn",
    "exits[].when": "Antwort",
    "branch:exits[].when": "Bedingung",
    "conversation:exits[].when": "In einfachen Worten",
    "exits[].next": "Weiter zu",
    "exits[].phrases": "Andere Formulierungen",
    "exits[].key": "Taste",
    "exits[].readBack": "Vorgelesen als",
    prompts: "Bedingungen in einfachen Worten",
    "prompts[].when": "In einfachen Worten",
    "prompts[].next": "Weiter zu",
    next: "Dann weiter zu",
    "ask:next": "Jede andere verstandene Antwort führt zu",
    "tool:next": "Nach einer guten Antwort weiter zu",
    otherwise: "Sonst weiter zu",
    "ask:otherwise": "Nicht Verstandenes führt zu",
    failed: "Bei einem Fehler weiter zu",
    retries: "Erneut fragen, wenn nicht verstanden",
    "retries.max": "Wie oft",
    "retries.texts": "Was dann gesagt wird",
    "retries.texts[]": "Wiederholung",
    confirm: "Antwort vorlesen und bestätigen lassen",
    "confirm.text": "Mit welchen Worten",
    range: "Nur Zahlen in einem Bereich",
    "range.min": "Von",
    "range.max": "Bis",
    digits: "Wie viele Ziffern",
    "digits.min": "Mindestens",
    "digits.max": "Höchstens",
    dates: "Ein Tag ohne Jahr liegt",
    interruptible: "Die angerufene Person darf unterbrechen",
    patience: "Geduld",
    prompt: "Was das Modell tun soll",
    model: "Sprachmodell",
    tools: "Verfügbare Werkzeuge",
    mcpTools: "Verfügbare Werkzeuge von MCP-Servern",
    saves: "Zu speichernde Werte",
    "saves[].saveAs": "Speichern als",
    "saves[].kind": "Art",
    "saves[].description": "Was es ist",
    "saves[].path": "Stelle in der Antwort",
    turnsMax: "Höchstzahl der Beiträge",
    optional: "Entbehrlich",
    values: "Zu setzende Werte",
    "values[].saveAs": "Speichern als",
    "values[].value": "Wert",
    request: "Anfrage",
    "request.method": "Methode",
    "request.url": "URL",
    "request.headers": "Header",
    "request.body": "Inhalt (JSON)",
    "request.timeoutMs": "Aufgeben nach (ms)",
    filler: "Ansage, wenn es lange dauert",
    to: "Telefonnummer",
    outcome: "Ergebnis (optional)",
    success: "War der Anruf erfolgreich? (optional)",
    how: "Wie",
    keys: "Zu drückende Tasten",
    global: "Von jeder Frage aus erreichbar",
    "global.phrases": "Mit den Worten",
    "global.returns": "Danach zurück zur offenen Frage",
    greeting: "Wer zuerst spricht",
    disclosure: "Hinweis",
    identification: "Wer anruft und warum",
    silence: "Wenn die angerufene Person schweigt",
    "silence.prompts": "Was gesagt wird, der Reihe nach",
    "silence.prompts[]": "Nachfrage",
    holdMusic: "Bei Wartemusik",
    "holdMusic.askAfterMs": "Nachfragen, ob jemand da ist, nach (ms)",
    "holdMusic.giveUpAfterMs": "Verabschieden und auflegen nach (ms)",
    voicemail: "Wenn eine Mailbox antwortet",
    phoneMenu: "Wenn ein Telefonmenü antwortet, weiter zu",
    fillerAfterMs: "Überbrücken nach (ms)",
    secondOpinion: "Ein Sprachmodell fragen, was gemeint war",
    connectAfterFailures: "Nach erfolglosen Wiederholungen mit einem Menschen verbinden",
    callback: "Rückrufe",
    "callback.offer": "Nach erfolglosen Wiederholungen einen Rückruf anbieten",
    "callback.redial": "Zur gewünschten Zeit automatisch zurückrufen",
    "callback.redialsMax": "Rückrufe hintereinander höchstens",
    "callback.laterAfterMinutes": "Ohne genannte Zeit zurückrufen nach (Minuten)",
    limits: "Beiträge pro Anruf begrenzen",
    "limits.turnsMax": "Höchstzahl der Beiträge",
    name: "Name",
    description: "Was es tut und wann es zu verwenden ist",
    parameters: "Was das Modell angibt",
    "parameters[].name": "Name",
    "parameters[].kind": "Art",
    "parameters[].description": "Was es ist",
    "parameters[].required": "Immer nötig",
  },
  items: {
    exits: "Antwort",
    "branch:exits": "Bedingung",
    "conversation:exits": "Ende",
    prompts: "Bedingung",
    saves: "Wert",
    values: "Wert",
    "retries.texts": "Text",
    "silence.prompts": "Nachfrage",
    parameters: "Parameter",
  },
  choices: {
    yes_no: "Ja oder Nein",
    number: "Zahl",
    date: "Datum",
    time: "Uhrzeit",
    name: "Name",
    text: "Text",
    quick: "Kurz",
    normal: "Normal",
    patient: "Lang",
    phone: "Telefonnummer",
    email: "E-Mail-Adresse",
    choice: "Eine von mehreren",
    free_text: "Freier Text",
    digits: "Ziffern oder Tasten",
    boolean: "Ja oder Nein",
    after_hello: "Die angerufene Person meldet sich",
    immediate: "Der Agent, sofort",
    hang_up: "Auflegen",
    leave_message: "Nachricht hinterlassen",
    continue: "Wie mit einem Menschen sprechen",
    refer: "Über das Telefon der angerufenen Person (refer)",
    bridge: "Über eine zweite Verbindung (bridge)",
    auto: "Automatisch (auto)",
    ahead: "In der Zukunft",
    behind: "In der Vergangenheit, etwa ein Geburtstag",
  },
  item: "Eintrag",
  // The help texts come from the schema, in English.
  helpOf: (subject, pattern, text) => HELP[`${subject}:${pattern}`] ?? HELP[pattern] ?? text,

  // list-fields.tsx
  moveUp: (item, number) => `Nach oben: ${item} ${number}`,
  moveDown: (item, number) => `Nach unten: ${item} ${number}`,
  removeItem: (item, number) => `Entfernen: ${item} ${number}`,
  addItem: (item) => `${item} hinzufügen`,
  removePhrase: (phrase) => `„${phrase}“ entfernen`,
  addPhrase: "Formulierung eingeben und Eingabetaste drücken",
  headerName: (place) => `Name ${place}`,
  headerValue: (name, number) => `Wert von ${name || `Name ${number}`}`,
  removeHeader: (name, number) => `${name || `Zeile ${number}`} entfernen`,
  addHeader: "Header hinzufügen",

  // plain-fields.tsx
  mustNotBeEmpty: "Darf nicht leer sein.",
  nameRule: "Kleinbuchstaben, Ziffern und Unterstriche; am Anfang ein Buchstabe.",
  writeNumber: (isWhole, range) =>
    `Geben Sie eine ${isWhole ? "ganze " : ""}Zahl${range === null ? "" : ` von ${range.min} bis ${range.max}`} ein.`,
  defaultChoice: "Standard",
  notJson: "Das ist noch kein JSON und wird deshalb nicht gespeichert.",

  // schema-fields.ts
  newAnswer: (number) => `Antwort ${number}`,

  // speak-button.tsx
  hearIt: "Anhören",

  // text-fields.tsx
  names: "Namen",
  letCallsBring: (name) => `„${name}“ als Variable der Anrufe anlegen`,
};
