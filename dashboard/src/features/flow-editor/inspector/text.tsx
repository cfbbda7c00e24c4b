import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // node-inspector.tsx
  advanced: "Advanced",
  title: "Title",
  idIsEmpty: "A node needs an ID.",
  idIsTaken: (written: string) => `Another node is already called “${written}”.`,

  // try-request.tsx
  tryRequest: "Try the request",
  exampleFor: (name: string) => `Example for ${name}`,
  reallySent: "This sends a real request, signed as in a call.",
  noReply: "No reply",
  notFound: "not found",

  // unmatched-answers.tsx
  unmatchedAnswers: "Not understood in calls",
  unmatchedAnswersLead: "Add what callees meant by it, and the agent will understand it.",
  whatWasSaid: (text: string) => `“${text}”`,
  whereSaid: (times: number, call: (label: string) => ReactNode) =>
    times > 1 ? (
      <>
        {times} times, {call("latest call")}
      </>
    ) : (
      call("in this call")
    ),
  addAsPhrase: (text: string) => `Add “${text}” as a phrase`,
  addAsPhraseOf: "Add as a phrase of…",
};

export type InspectorText = typeof english;

export const inspectorText = inLanguage("flow-editor/inspector", english);
