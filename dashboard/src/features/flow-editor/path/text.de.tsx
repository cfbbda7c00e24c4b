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
    `Dieser Anruf hat einen Entwurf ausprobiert, der nicht als Version aufbewahrt wird. Sie sehen den jetzigen Entwurf.${
      lost === 0
        ? ""
        : lost === 1
          ? " 1 Schritt kommt darin nicht mehr vor."
          : ` ${lost} Schritte kommen darin nicht mehr vor.`
    }`,
  heldWithVersion: (version, isLikeDraft) =>
    `Dies ist Version ${version}, die der Anruf verwendet hat; ${
      isLikeDraft ? "der Entwurf ist seither unverändert" : "der Entwurf hat sich seither geändert"
    }.`,

  // step-list.tsx
  thePath: "Der Weg",
  stepByStep: "Schritt für Schritt",
  emptyTitle: "Kein Weg aufgezeichnet",
  emptyText: "Der Anruf wurde nicht angenommen, oder sein Inhalt wurde gelöscht.",
  steps: "Schritte",
  stepInCall: (number, clock) => `Schritt ${number} im Anruf, bei ${clock}`,
  agentSaid: "Der Agent:",
  calleeSaid: "Angerufene Person:",
  nowhere: "nirgendwohin",
  notInFlow: "Nicht mehr in diesem Ablauf",
  selectedNode: "Der ausgewählte Baustein",
};
