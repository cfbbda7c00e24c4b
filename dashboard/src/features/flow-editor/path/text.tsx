import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // path-view.tsx
  loading: "Loading the call and its version",
  cannotBeShown: "The path of the call cannot be shown",
  backToDraft: "Back to the draft",
  heldByAnother: "The call was held by another agent.",
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
    `It tried a draft, which has no number to go back to; this is the draft as it is now.${
      lost === 0 ? "" : ` ${lost} of its steps ${lost === 1 ? "is" : "are"} not in it any more.`
    }`,
  heldWithVersion: (version: number, isLikeDraft: boolean) =>
    `This is version ${version}, with which it was held; ${
      isLikeDraft ? "the draft is still like it" : "the draft has changed since"
    }.`,

  // step-list.tsx
  thePath: "The path",
  stepByStep: "Step by step",
  emptyTitle: "Nothing is known of its way",
  emptyText: "The call was not answered, or what was said in it was erased.",
  steps: "Steps",
  stepInCall: (number: number, clock: string) => `Step ${number} in the call, at ${clock}`,
  agentSaid: "Agent:",
  calleeSaid: "Callee:",
  nowhere: "nowhere",
  notInFlow: "Not in this flow any more",
  selectedNode: "The selected node",
};

export type EditorPathText = typeof english;

export const editorPathText = inLanguage("flow-editor/path", english);
