import type { InspectorText } from "./text.tsx";

export const german: InspectorText = {
  // node-inspector.tsx
  advanced: "Erweitert",
  title: "Titel",
  idIsEmpty: "Ein Baustein braucht eine ID.",
  idIsTaken: (written) => `Ein anderer Baustein heißt schon „${written}“.`,

  // try-request.tsx
  tryRequest: "Anfrage ausprobieren",
  exampleFor: (name) => `Beispiel für ${name}`,
  reallySent: "Sie wird wirklich gesendet, signiert wie in einem Anruf.",
  noReply: "Keine Antwort",
  notFound: "nicht gefunden",

  // unmatched-answers.tsx
  unmatchedAnswers: "In Anrufen nicht verstanden",
  unmatchedAnswersLead:
    "Ordnen Sie zu, was die angerufenen Personen damit meinten; der Agent versteht es dann künftig.",
  whatWasSaid: (text) => `„${text}“`,
  whereSaid: (times, call) =>
    times > 1 ? (
      <>
        {times}-mal, {call("letzter Anruf")}
      </>
    ) : (
      call("in diesem Anruf")
    ),
  addAsPhrase: (text) => `„${text}“ als Formulierung hinzufügen`,
  addAsPhraseOf: "Als Formulierung hinzufügen zu …",
};
