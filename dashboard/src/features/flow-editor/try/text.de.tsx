import type { EditorTryText } from "./text.tsx";

const MACHINES = {
  voicemail: "einer Mailbox",
  ivr: "einem Telefonmenü",
  screening: "einer Anrufprüfung",
  fax: "einem Faxgerät",
} as const;

export const german: EditorTryText = {
  // conversation-lines.tsx
  whatWasSaid: "Was gesagt wurde",
  youSaid: "Sie:",
  calleeSaid: "Angerufene Person:",
  agentSaid: "Der Agent:",
  collected: "Erfasst",
  nothingCollected: "Noch nichts.",

  // example-values.tsx
  variables: (filled, all, count) => <>Variablen {count(`(${filled} von ${all} ausgefüllt)`)}</>,

  // keypad.tsx
  phoneKeys: "Tasten des Telefons",
  pressKey: (key) => `${key === "*" ? "Stern" : key === "#" ? "Raute" : key} drücken`,

  // save-as-scenario.tsx
  saveAsScenario: "Als Szenario speichern",
  scenarioSaved: "Gespeichert. Es gehört jetzt zu den Szenarien.",
  saveAsScenarioLead: "Die angerufene Person tut dasselbe noch einmal, und das Angekreuzte muss dabei herauskommen.",
  name: "Name",
  expectations: "Was dabei herauskommen muss",
  cancel: "Abbrechen",
  save: "Speichern",

  // scenario-of-try.ts
  nameAnsweredBy: (machine) => `Angenommen von ${MACHINES[machine]}`,
  nameSays: (said) => `Sagt „${said.join(", dann ").slice(0, 90)}“`,
  nameSaysNothing: "Sagt nichts",

  // try-call.tsx
  whoAnswers: "Wer abnimmt",
  byNumber: (digits) => `Nach den letzten Ziffern: ${digits}`,
  whichVersion: "Welche Version",
  draftNow: "Der Entwurf, wie er jetzt ist",
  call: "Anrufen",
  publishedVersion: (version) => `Version ${version}, die veröffentlichte`,
  costsNothing: (link) => <>Das kostet nichts und bleibt unter den {link("Testanrufen")} erhalten.</>,
  friendly: "Eine freundliche Person",
  interrupting: "Jemand, der unterbricht",
  slow: "Jemand, der langsam und mit langen Pausen spricht",
  backchannelling: "Jemand, der zwischendurch „mhm“ sagt",
  hangingUp: "Jemand, der mitten im Satz auflegt",
  silent: "Jemand, der schweigt",
  noisy: "Eine Person in lauter Umgebung",
  echo: "Eine Leitung mit Echo",
  holding: "Jemand, der den Agenten in die Warteschleife legt",
  voicemail: "Eine Mailbox",
  callScreening: "Anrufprüfung",
  phoneMenuPressOne: "Ein Telefonmenü (1 drücken)",
  fax: "Ein Faxgerät",
  soundless: "Ein Abnehmen ganz ohne Ton",
  busy: "Besetzt",
  noAnswer: "Niemand nimmt ab",
  declining: "Jemand, der den Anruf ablehnt",
  unknownNumber: "Eine Nummer, die es nicht gibt",
  failingNetwork: "Ein Netz, das ausfällt",
  callAgain: "Erneut anrufen",
  openCall: "Anruf öffnen",
  calleeHadHeard: (heardText) => `Die angerufene Person hatte gehört: „${heardText}“`,
  pressed: (by, key) => `${by === "agent" ? "Der Agent" : "Die angerufene Person"} hat ${key} gedrückt`,

  // try-lines.ts
  voicemailAnswers: "Eine Mailbox antwortet",
  phoneMenuAnswers: "Ein Telefonmenü antwortet",
  callScreeningAnswers: "Eine Anrufprüfung antwortet",
  faxAnswers: "Ein Faxgerät antwortet",
  youPressed: (keys) => `Sie haben ${keys} gedrückt`,
  agentPressed: (keys) => `Der Agent hat ${keys} gedrückt`,
  toolAsked: (name) => `${name} wurde gefragt`,
  toolAnswered: (name, isOk, isGiven) =>
    `${name} ${isOk ? "hat geantwortet" : "ist fehlgeschlagen"}${isGiven ? " (vorgegeben, nicht gefragt)" : ""}`,
  youSaidNothing: "Sie haben nichts gesagt",
  youHungUp: "Sie haben aufgelegt",
  youHadHeard: (heardText) => `Sie hatten gehört: „${heardText}“`,
  youHadHeardNothing: "Sie hatten davon nichts gehört",
  wouldTransfer: (to) => `Ein Anruf würde an ${to} weitergeleitet`,
  calleeSpeaks: (language) => `Die angerufene Person spricht ${language}`,
  wouldSuppress: "Ein Anruf würde die Nummer auf die Sperrliste setzen",
  callIsOver: (reason) => `Der Anruf ist vorbei: ${reason}`,

  // try-refusal.tsx
  cannotBeTried: "Der Agent lässt sich noch nicht ausprobieren.",
  moreProblems: (count) => `Und ${count} weitere, siehe „Probleme“.`,
  showIt: "Zeigen",

  // try-text.tsx
  person: "Ein Mensch",
  phoneMenu: "Ein Telefonmenü",
  textTitle: "Schreiben Sie mit Ihrem Agenten",
  textLead:
    "Sie sind die angerufene Person. Was der Agent mit Ihren Antworten macht, leuchtet auf der Zeichenfläche auf.",
  begin: "Beginnen",
  textFlowChanged:
    "Der Ablauf hat sich seit Beginn dieses Versuchs geändert. Beginnen Sie neu, um ihn so auszuprobieren, wie er jetzt ist.",
  beginAgain: "Neu beginnen",
  expectedAnswers: "Antworten, die der Agent erwartet",
  whatYouSay: "Was Sie sagen",
  saySomething: "Sagen Sie etwas",
  sayIt: "Sagen",
  sayNothing: "Nichts sagen",
  keys: "Tasten",
  hangUp: "Auflegen",

  // try-voice.tsx
  states: {
    rest: "Nicht verbunden",
    asking: "Wartet auf das Mikrofon",
    connecting: "Verbindet",
    talking: "In der Leitung",
    over: "Vorbei",
    refused: "Nicht verbunden",
  },
  microphone: {
    not_allowed:
      "Der Browser gibt das Mikrofon für diese Seite nicht frei. Erlauben Sie es neben der Adresse und versuchen Sie es erneut.",
    none: "Es wurde kein Mikrofon gefunden. Schließen Sie eines an und versuchen Sie es erneut, oder probieren Sie den Agenten mit Text aus.",
    in_use: "Ein anderes Programm verwendet das Mikrofon. Schließen Sie es und versuchen Sie es erneut.",
    not_secure:
      "Browser geben das Mikrofon nur für Seiten frei, die über https oder von diesem Rechner kommen. Öffnen Sie das Dashboard auf diesem Weg.",
    failed:
      "Das Mikrofon konnte nicht geöffnet werden. Versuchen Sie es erneut, oder probieren Sie den Agenten mit Text aus.",
  },
  voiceTitle: "Sprechen Sie mit Ihrem Agenten",
  voiceLead:
    "Ihr Mikrofon ersetzt das Telefon. Melden Sie sich, sobald Sie verbunden sind: Der Agent wartet darauf. Nichts wird aufgenommen oder berechnet.",
  startTalking: "Gespräch beginnen",
  talkAgain: "Erneut sprechen",
  voiceFlowChanged:
    "Der Ablauf hat sich seither geändert. Legen Sie auf und sprechen Sie erneut, um ihn so auszuprobieren, wie er jetzt ist.",
  microphoneLevel: "Mikrofonpegel",
  connectionLost: "Die Verbindung ging verloren. Am Agenten liegt es nicht; versuchen Sie es erneut.",

  // voice-try.ts
  trialWouldTransfer: (to) => `Ein Anruf würde an ${to} weitergeleitet; ein Versuch ruft niemanden an`,
};
