import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // exits.ts
  continues: "Then",
  outOfTurns: "Out of turns",
  otherwise: "Otherwise",
  answered: "Answered",
  failed: "Failed",
  notConnected: "Not connected",
  anyOtherAnswer: "Any other answer",
  notUnderstood: "Not understood",
  yes: "yes",
  no: "no",
  noConditionYet: "No condition yet",

  // node-kinds.ts
  startName: "Start",
  startPurpose: "Where the call begins",
  startTerms: "begin entry",
  sayName: "Say",
  sayPurpose: "Says something, then continues",
  sayTerms: "speak tell text message",
  askName: "Ask",
  askPurpose: "Asks a question and follows the answer",
  askTerms: "question listen collect",
  conversationName: "Conversation",
  conversationPurpose: "Lets a language model talk freely",
  conversationTerms: "llm ai prompt model agent",
  branchName: "Branch",
  branchPurpose: "Takes a path by a condition",
  branchTerms: "if condition switch decide",
  setName: "Set",
  setPurpose: "Saves values for later",
  setTerms: "variable value assign",
  requestName: "Request",
  requestPurpose: "Sends an HTTP request to another service",
  requestTerms: "tool http api webhook",
  transferName: "Transfer",
  transferPurpose: "Connects the callee to someone else",
  transferTerms: "human forward",
  dtmfName: "Press keys",
  dtmfPurpose: "Presses keys, for phone menus",
  dtmfTerms: "dtmf digits menu ivr",
  voicemailName: "Voicemail",
  voicemailPurpose: "The message left on a voicemail",
  voicemailTerms: "machine beep message",
  endName: "End",
  endPurpose: "Says goodbye and hangs up",
  endTerms: "hang up finish goodbye",
  hangsUp: "Hangs up",
};

export type EditorModelText = typeof english;

export const editorModelText = inLanguage("flow-editor/model", english);
