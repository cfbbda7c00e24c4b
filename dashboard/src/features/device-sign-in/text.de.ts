import type { DeviceSignInText } from "./text.ts";

export const german: DeviceSignInText = {
  // device-page.tsx
  title: "Befehlszeile verbinden",
  lead: "Bestätigen Sie den Code, den Ihr Terminal anzeigt.",
  code: "Code",
  codeHint: "Mit „parley login“ erhalten Sie einen.",
  continueLabel: "Weiter",
  connected: "Verbunden. Sie können diese Seite schließen und zu Ihrem Terminal zurückkehren.",
  refused: "Abgelehnt. Die Befehlszeile hat keinen Schlüssel erhalten.",
  otherCode: "Anderen Code eingeben",
  loading: "Code wird gesucht",
  warning:
    "Es muss der Code aus Ihrem eigenen Terminal sein. Wenn Ihnen jemand anderes diesen Link oder Code geschickt hat, lehnen Sie ab: Diese Person erhielte sonst Zugriff auf Ihr Konto.",
  asks: "Anfrage von",
  from: "Adresse",
  since: "Seit",
  keyMode: "Betriebsart des Schlüssels",
  testHint: "Ruft im simulierten Netz an und kostet nichts.",
  liveHint: "Ruft wirklich an und wird berechnet.",
  test: "Testbetrieb",
  live: "Livebetrieb",
  connect: "Verbinden",
  refuse: "Ablehnen",
  keyRights:
    "Der Schlüssel erhält alle Rechte, die Sie vergeben dürfen. Widerrufen können Sie ihn unter Einstellungen > Entwickler.",
};
