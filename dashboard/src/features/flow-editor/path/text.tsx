import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // path-view.tsx
  loading: "Loading call and its version",
  cannotBeShown: "The call’s path can’t be shown",
  backToDraft: "Back to the draft",
  heldByAnother: "This call was handled by another agent.",
  canvas: "Canvas",
  backToCall: "Back to the call",
  draftReadOnly: "Draft, read-only",
  versionReadOnly: (version: number) => `Version ${version}, read-only`,
  findNode: "Find a node",
  pathOfCall: (call: ReactNode, moment: string, steps: number) => (
    <>
      The path of the call to {call}, {moment}: {steps === 1 ? "1 step" : `${steps} steps`}.
    </>
  ),
  triedDraft: (lost: number) =>
    `This call tried a draft, which isn’t kept as a version. You’re looking at the current draft.${
      lost === 0 ? "" : ` ${lost === 1 ? "1 step of the call is" : `${lost} steps of the call are`} no longer in it.`
    }`,
  heldWithVersion: (version: number, isLikeDraft: boolean) =>
    `This is version ${version}, which the call used; ${
      isLikeDraft ? "the draft hasn’t changed since" : "the draft has changed since"
    }.`,

  // step-list.tsx
  thePath: "The path",
  stepByStep: "Step by step",
  emptyTitle: "No path recorded",
  emptyText: "The call wasn’t answered, or its content was erased.",
  steps: "Steps",
  stepInCall: (number: number, clock: string) => `Step ${number} in the call, at ${clock}`,
  agentSaid: "Agent:",
  calleeSaid: "Callee:",
  nowhere: "nowhere",
  notInFlow: "No longer in this flow",
  selectedNode: "The selected node",
};

export type EditorPathText = typeof english;

export const editorPathText = inLanguage("flow-editor/path", english);
