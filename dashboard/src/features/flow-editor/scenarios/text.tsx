import type { AnsweringMachine } from "@parley/contract/callee-steps";
import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // expectation-list.tsx
  expectations: "Expected outcome",
  addExpectation: "Add an expectation",
  expectation: (number: number) => `Expectation ${number}`,
  removeExpectation: (number: number) => `Remove expectation ${number}`,
  expectationDetail: (number: number) => `Detail of expectation ${number}`,
  expectationValue: (number: number) => `Value of expectation ${number}`,
  anyValue: "Any value",
  saidExample: "your appointment is confirmed",
  orLabel: (label: string) => `${label}, or`,
  removeReason: (reason: string) => `Remove: ${reason}`,
  addOr: "or…",

  // dangling-expectations.tsx
  danglingValue: (name: string, isNegative: boolean) =>
    isNegative
      ? `“${name}” can’t be collected: nothing in the flow saves it anymore. Restore its node, or remove this expectation.`
      : `Expects to collect “${name}”, but nothing in the flow saves it anymore. Restore its node, or remove this expectation.`,
  danglingNode: (title: string, isNegative: boolean) =>
    isNegative
      ? `“${title}” can’t be reached: the node is no longer in the flow. Restore it, or remove this expectation.`
      : `Expects to reach “${title}”, but the node is no longer in the flow. Restore it, or remove this expectation.`,
  removeDangling: "Remove the expectation",
  chooseAnother: "Choose another…",
  danglingRemoved: (name: string) => `An expectation of “${name}” was removed.`,

  // make-scenario.tsx
  createdFromCall: (name: string) => `“${name}” was added to the scenarios of its agent.`,
  created: "Scenario created",
  createScenario: "Create scenario",

  // scenario-dialog.tsx
  editScenario: "Edit scenario",
  newScenario: "New scenario",
  name: "Name",
  nameExample: "Wants another day",
  callVariables: "Call variables",
  cancel: "Cancel",
  save: "Save",
  steps: "What the callee does",
  stepsLead: "The agent opens the call; the callee answers step by step.",
  addStep: "Add a step",
  step: (number: number) => `Step ${number}`,
  removeStep: (number: number) => `Remove step ${number}`,
  stepWords: (number: number) => `Words of step ${number}`,
  stepWordsExample: "Yes, I will be there",
  interruptsAfter: (ms: ReactNode) => <>after {ms} ms of the agent’s words</>,
  stepKeys: (number: number) => `Keys of step ${number}`,
  stepMachine: (number: number) => `Machine of step ${number}`,
  voicemail: "A voicemail",
  phoneMenu: "A phone menu",
  callScreening: "Call screening",
  fax: "A fax machine",

  // scenario-form.ts
  stepSays: "Says",
  stepInterrupts: "Interrupts",
  stepPressesKeys: "Presses keys",
  stepSaysNothing: "Says nothing",
  stepMachineAnswers: "A machine answers",
  stepHangsUp: "Hangs up",
  expectEnded: "The call ends with",
  expectNotEnded: "The call continues",
  expectReached: "Reaches the node",
  expectNotReached: "Never reaches the node",
  expectCollected: "Collects",
  expectNotCollected: "Does not collect",
  expectSaid: "The agent says",
  expectNotSaid: "The agent never says",
  expectSuppressed: "Is added to the suppression list",
  expectNotSuppressed: "Stays off the suppression list",
  expectTransferred: "Is transferred to a person",
  expectNotTransferred: "Is not transferred",
  expectToolCalled: "Calls the tool",
  expectToolNotCalled: "Never calls the tool",
  nameMissing: "Enter a name.",
  wordsMissing: "Enter what the callee says.",
  keysWrong: "Keys can be digits, * and #.",
  expectationMissing: "Add an expected outcome.",
  saidMissing: "Enter what the agent says.",

  // scenario-text.ts
  ended: (reasons: readonly string[]) => `Ends with: ${reasons.map((reason) => reason.toLowerCase()).join(", or ")}`,
  reached: (title: string) => `Reaches “${title}”`,
  notReached: (title: string) => `Never reaches “${title}”`,
  collected: (name: string, equals: string | number | boolean | null | undefined) =>
    equals === undefined ? `Collects ${name}` : `Collects ${name} = ${equals}`,
  notCollected: (name: string) => `Does not collect ${name}`,
  said: (contains: string) => `The agent says “${contains}”`,
  notSaid: (contains: string) => `The agent never says “${contains}”`,
  suppressed: "The number is added to the suppression list",
  notSuppressed: "The number stays off the suppression list",
  transferredTo: (to: string) => `Is transferred to ${to}`,
  transferred: "Is transferred",
  toolCalled: (name: string) => `Calls ${name}`,
  toolNotCalled: (name: string) => `Never calls ${name}`,
  notMet: (expectation: string) => `Not met: ${expectation}.`,
  nothingCollected: "Nothing was collected.",
  valueCollected: (value: string) => `What was collected: ${value}.`,
  wentNowhere: "The call went nowhere.",
  wentThrough: (titles: readonly string[]) => `The call took this path: ${titles.join(" → ")}.`,
  endedAs: (reason: string) => `The call ended with: ${reason.toLowerCase()}.`,
  wasTransferredTo: (number: string) => `The call was transferred to ${number}.`,
  neverSaved: "Nothing in the flow saves this value.",
  wentOn: "The call continued.",
  stepsLeft: (left: number, total: number) => `The call was over with ${left} of ${total} steps left.`,
  somethingFailed: (faults: string) => `Something failed: ${faults}.`,
  interrupts: (words: string) => `interrupts: “${words}”`,
  says: (words: string) => `“${words}”`,
  presses: (keys: string) => `presses ${keys}`,
  silent: "says nothing",
  machineAnswers: (machine: AnsweringMachine) => `${machine} answers`,
  hangsUp: "hangs up",

  // scenarios-panel.tsx
  onText: "By text",
  onAudio: "By voice",
  loading: "Loading scenarios",
  emptyTitle: "No scenarios yet",
  emptyText:
    "A scenario describes what a callee does and what is expected to happen. Save one from a test or a call, or create one.",
  howToRun: "How to run them",
  runAll: "Run all",
  onAudioNote:
    "By voice, each scenario is a simulated call with real audio. It is free and takes as long as the calls do.",
  runningDone: (done: number) => `Running: ${done} done.`,
  isRunning: "Running.",
  noneRunYet: (all: number) => (all === 1 ? "1 scenario, not run yet." : `${all} scenarios, not run yet.`),
  allPassed: (passed: number, all: number) => `${passed} of ${all} passed.`,
  someFailed: (failed: number, all: number, passed: number) => `${failed} of ${all} failed, ${passed} passed.`,
  noSteps: "The callee does nothing",
  menuOf: (name: string) => `Actions for “${name}”`,
  runOne: "Run this one",
  edit: "Edit",
  deleteOne: "Delete",
  passed: "Passed",
  failed: "Failed",
  running: "Running",
  notRunYet: "Not run yet",
  deleted: (name: string) => `“${name}” was deleted.`,
  stale: "This result is from before the last change.",
  goToNode: (title: string) => `Go to “${title}”`,
  goToNodeAfterStep: (step: number, title: string) => `After step ${step}: go to “${title}”`,
  whatWasSaid: "What was said",
  agent: "Agent",
  callee: "Callee",
  showPath: "Show the path on the canvas",
  openCall: "Open the call",

  // tool-reply-list.tsx
  toolReplies: "Tool replies",
  toolRepliesLead: "In text runs, no requests are sent. A tool without a reply here fails.",
  answers: (tool: ReactNode) => <>{tool} replies</>,
  statusOf: (name: string) => `Status of ${name}`,
  bodyOf: (name: string) => `Body of ${name}, as JSON`,
};

export type ScenariosText = typeof english;

export const scenariosText = inLanguage("flow-editor/scenarios", english);
