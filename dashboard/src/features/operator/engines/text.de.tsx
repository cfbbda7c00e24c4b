import { locale } from "../../../languages/language.ts";
import type { OperatorEnginesText } from "./text.tsx";

export const german: OperatorEnginesText = {
  // engines-page.tsx
  firstResult: {
    recognition: (ms) => `Text nach ${ms} ms`,
    model: (ms) => `erstes Wort nach ${ms} ms`,
    synthesis: (ms) => `erster Ton nach ${ms} ms`,
    speech: (ms) => `erstes Ergebnis nach ${ms} ms`,
  },
  engines: "Engines",
  lead: "Eine Engine ist ein Rezept: Sie erkennt Sprache, denkt mit einem Sprachmodell und spricht. Agenten und Anrufe wählen eine nach Namen.",
  available: "Verfügbar",
  tryCost:
    "„Ausprobieren“ sendet jedem Anbieter einer Engine eine kurze Anfrage, auch den Ersatzanbietern. Die Anbieter berechnen das wie einige Sekunden eines Anrufs.",
  loadingEngines: "Engines werden geladen",
  availableEngines: "Verfügbare Engines",
  notSetUp: "Nicht eingerichtet",
  notSetUpLead: (link) => (
    <>
      Beispiele für mögliche Kombinationen. Eine Engine wird verfügbar, sobald ihre Schlüssel unter{" "}
      {link("Betreiber > Modellanbieter")} hinterlegt sind.
    </>
  ),
  enginesNotSetUp: "Nicht eingerichtete Engines",
  namesExplained: (code) => (
    <>
      Der Name einer Voreinstellung nennt Erkennung, Sprachmodell und Stimme, zum Beispiel{" "}
      {code("deepgram-openai-elevenlabs")}; jede Kombination funktioniert unter ihrem Namen. Engines mit eigenen Namen,
      Modellen und Ersatz legen Sie in {code("PARLEY_ENGINES")} fest.
    </>
  ),
  defaultLabel: "Standard",
  tryLabel: "Ausprobieren",
  tryEngine: (engine) => `${engine} ausprobieren`,
  trying: "Jeder Teil wird ausprobiert. Das dauert einige Sekunden, länger, wenn ein Anbieter nicht antwortet.",
  languages: "Sprachen",
  partNotSetUp: (part) => `${part} (nicht eingerichtet)`,
  chain: (parts) => parts.join(", dann "),
  partOfTheEngine: "Teil der Engine",
  noModel: "Keines: Agenten, deren Ablauf ein Sprachmodell braucht, werden abgelehnt",
  reportSummary: (faults) => {
    if (faults === 0) return "Alle Teile funktionieren.";
    return faults === 1 ? "Ein Teil ist fehlgeschlagen." : `${faults} Teile sind fehlgeschlagen.`;
  },
  replyDelay: (totalMs) =>
    `Zusammen brauchen sie ${(totalMs / 1000).toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s vom Ende eines Satzes bis zum ersten Ton der Antwort.`,
  vendorsDelay: (totalMs) =>
    `Vom Ende eines Satzes bis zum ersten Ton der Antwort brauchen die Anbieter ${(totalMs / 1000).toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s. Was auf diesem Rechner läuft, kommt hinzu.`,
  resultOf: (engine) => `Ergebnis von ${engine}`,
  works: "Funktioniert",
  checkThis: "Bitte prüfen",
  failed: "Fehlgeschlagen",
  onThisMachine: "Auf diesem Rechner",
};
