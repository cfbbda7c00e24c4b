import type { EditorPathText } from "./text.tsx";

export const german: EditorPathText = {
  // path-view.tsx
  loading: "Der Anruf und seine Version werden geladen",
  cannotBeShown: "Der Weg des Anrufs kann nicht gezeigt werden",
  backToDraft: "Zurück zum Entwurf",
  heldByAnother: "Den Anruf hat ein anderer Agent geführt.",
  canvas: "Zeichenfläche",
  backToCall: "Zurück zum Anruf",
  draftReadOnly: "Entwurf, schreibgeschützt",
  versionReadOnly: (version) => `Version ${version}, schreibgeschützt`,
  findNode: "Baustein suchen",
  pathOfCall: (call, moment, steps) => (
    <>
      Der Weg des Anrufs an {call}, {moment}: {steps === 1 ? "1 Schritt" : `${steps} Schritte`}.
    </>
  ),
  triedDraft: (lost) =>
    `Er hat einen Entwurf ausprobiert, zu dem es keine Nummer gibt; dies ist der Entwurf, wie er jetzt ist.${
      lost === 0
        ? ""
        : lost === 1
          ? " 1 Schritt kommt darin nicht mehr vor."
          : ` ${lost} Schritte kommen darin nicht mehr vor.`
    }`,
  heldWithVersion: (version, isLikeDraft) =>
    `Dies ist Version ${version}, mit der er geführt wurde; ${
      isLikeDraft ? "der Entwurf ist noch gleich" : "der Entwurf hat sich seither geändert"
    }.`,

  // step-list.tsx
  thePath: "Der Weg",
  stepByStep: "Schritt für Schritt",
  emptyTitle: "Über den Weg ist nichts bekannt",
  emptyText: "Der Anruf wurde nicht angenommen, oder sein Inhalt wurde gelöscht.",
  steps: "Schritte",
  stepInCall: (number, clock) => `Schritt ${number} im Anruf, bei ${clock}`,
  agentSaid: "Der Agent:",
  calleeSaid: "Angerufene Person:",
  nowhere: "nirgendwohin",
  notInFlow: "Nicht mehr in diesem Ablauf",
  selectedNode: "Der ausgewählte Baustein",
};
