import type { AnsweringMachine } from "@parley/contract/callee-steps";
import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // conversation-lines.tsx
  whatWasSaid: "What was said",
  youSaid: "You:",
  calleeSaid: "Callee:",
  agentSaid: "Agent:",
  collected: "Collected",
  nothingCollected: "Nothing yet.",

  // example-values.tsx
  variables: (filled: number, all: number, count: (text: string) => ReactNode) => (
    <>Variables {count(`(${filled} of ${all} filled)`)}</>
  ),

  // keypad.tsx
  phoneKeys: "Phone keypad",
  pressKey: (key: string) => `Press ${key === "*" ? "star" : key === "#" ? "hash" : key}`,

  // save-as-scenario.tsx
  saveAsScenario: "Save as scenario",
  scenarioSaved: "Saved to the scenarios.",
  saveAsScenarioLead: "The callee will do the same again. Choose what is expected to happen.",
  name: "Name",
  expectations: "Expected outcome",
  cancel: "Cancel",
  save: "Save",

  // scenario-of-try.ts
  nameAnsweredBy: (machine: AnsweringMachine) => `Answered by a ${machine}`,
  nameSays: (said: readonly string[]) => `Says “${said.join(", then ").slice(0, 90)}”`,
  nameSaysNothing: "Says nothing",

  // try-call.tsx
  whoAnswers: "Who answers",
  byNumber: (digits: string) => `By the last digits: ${digits}`,
  whichVersion: "Which version",
  draftNow: "The current draft",
  call: "Call",
  publishedVersion: (version: number) => `Version ${version} (published)`,
  costsNothing: (link: (label: string) => ReactNode) => <>It is free and appears under {link("test calls")}.</>,
  friendly: "A friendly person",
  interrupting: "Someone who interrupts",
  slow: "Someone who speaks slowly, with long pauses",
  backchannelling: "Someone who says “mhm” while listening",
  hangingUp: "Someone who hangs up mid-sentence",
  silent: "Someone who stays silent",
  noisy: "A person on a noisy line",
  echo: "A line with an echo",
  holding: "Someone who puts the agent on hold",
  voicemail: "A voicemail",
  callScreening: "Call screening",
  phoneMenuPressOne: "A phone menu (press 1)",
  fax: "A fax machine",
  soundless: "An answer without any audio",
  busy: "Busy",
  noAnswer: "No answer",
  declining: "Someone who declines",
  unknownNumber: "A number that does not exist",
  failingNetwork: "A network that fails",
  callAgain: "Call again",
  openCall: "Open the call",
  calleeHadHeard: (heardText: string) => `The callee had heard: “${heardText}”`,
  pressed: (by: "agent" | "callee", key: string) => `The ${by} pressed ${key}`,

  // try-lines.ts
  voicemailAnswers: "A voicemail answers",
  phoneMenuAnswers: "A phone menu answers",
  callScreeningAnswers: "Call screening answers",
  faxAnswers: "A fax machine answers",
  youPressed: (keys: string) => `You pressed ${keys}`,
  agentPressed: (keys: string) => `The agent pressed ${keys}`,
  toolAsked: (name: string) => `Called ${name}`,
  toolAnswered: (name: string, isOk: boolean, isGiven: boolean) =>
    `${name} ${isOk ? "replied" : "failed"}${isGiven ? " (simulated reply)" : ""}`,
  youSaidNothing: "You said nothing",
  youHungUp: "You hung up",
  youHadHeard: (heardText: string) => `You had heard: “${heardText}”`,
  youHadHeardNothing: "You had not heard any of it",
  wouldTransfer: (to: string) => `A call would be transferred to ${to}`,
  calleeSpeaks: (language: string) => `The callee speaks ${language}`,
  wouldSuppress: "A call would put the number on the suppression list",
  callIsOver: (reason: string) => `The call is over: ${reason.toLowerCase()}`,

  // try-refusal.tsx
  cannotBeTried: "The agent cannot be tested yet.",
  moreProblems: (count: number) => `And ${count} more under Problems.`,
  showIt: "Show it",

  // try-text.tsx
  person: "A person",
  phoneMenu: "A phone menu",
  textTitle: "Chat with your agent",
  textLead: "You are the callee. The canvas shows what the agent does with your answers.",
  begin: "Start",
  textFlowChanged: "The flow has changed since this test started. Start again to test the current flow.",
  beginAgain: "Start again",
  expectedAnswers: "Answers the agent expects",
  whatYouSay: "What you say",
  saySomething: "Say something",
  sayIt: "Say it",
  sayNothing: "Say nothing",
  keys: "Keys",
  hangUp: "Hang up",

  // try-voice.tsx
  states: {
    rest: "Not connected",
    asking: "Waiting for the microphone",
    connecting: "Connecting",
    talking: "On the line",
    over: "Over",
    refused: "Not connected",
  },
  microphone: {
    not_allowed: "The browser blocks the microphone on this page. Allow it next to the address bar, then try again.",
    none: "No microphone was found. Connect one and try again, or try the agent by text.",
    in_use: "Another program is using the microphone. Close it and try again.",
    not_secure:
      "Browsers only allow the microphone on pages opened over HTTPS or from this machine. Open the dashboard that way.",
    failed: "The microphone could not be opened. Try again, or try the agent by text.",
  },
  voiceTitle: "Talk with your agent",
  voiceLead:
    "Your microphone replaces the phone. Say hello once you are connected: the agent waits for it. Nothing is recorded or charged.",
  startTalking: "Start talking",
  talkAgain: "Talk again",
  voiceFlowChanged: "The flow has changed since. Hang up and talk again to test the current flow.",
  microphoneLevel: "Microphone level",
  connectionLost: "The connection was lost. The agent is fine; try again.",

  // voice-try.ts
  trialWouldTransfer: (to: string) => `A call would be transferred to ${to}; a trial places no calls`,
};

export type EditorTryText = typeof english;

export const editorTryText = inLanguage("flow-editor/try", english);
