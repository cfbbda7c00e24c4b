import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // The kind of node.
  name: "Sub-flow",
  purpose: "Uses the flow of another agent",
  terms: "reuse reusable module part component include agent",
  version: (version: number) => `Version ${version}`,

  // sub-flow-fields.tsx
  whichFlow: "Which flow",
  chooseFlow: "Choose an agent…",
  onlyPublished: "Agents that are published and do not contain this one can be used.",
  notListed: "An agent that cannot be opened",
  open: "Open it in a new tab",
  newer: (version: number) => `Version ${version} is published. This node uses an older one.`,
  update: (version: number) => `Update to version ${version}`,
  couldNotLoad: "The flow could not be loaded. Try again.",
  inputs: "Its variables",
  inputsHint:
    "An expression, such as collected.day or a text in quotes. Empty: this agent’s variable of the same name.",
  exits: "When it ends",
  noExits: "The flow never comes back: every path ends the call.",
  choose: "Choose…",
  saves: "What it collects",
  savesHint: (name: string) => `Saved as ${name} if empty.`,

  // Problems.
  chooseOne: "Choose the flow that this node uses.",
  unknown: "Choose another flow: this version was deleted, or never published.",
  cycle: "Choose another flow: this one contains the agent itself.",
  tooDeep: (max: string) => `Use fewer sub-flows in sub-flows: at most ${max} can be in each other.`,
  tooManyNodes: (max: string) => `Use a smaller flow: with its nodes this agent would have more than ${max}.`,
  tooManyVariables: (max: string) => `Use a flow with at most ${max} variables.`,
  nameTooLong: (name: string) => `Give this node a shorter id: “${name}” is too long.`,
  conflict: (mistake: string) => `The sub-flow does not fit here: ${mistake}`,
  connectExit: (exit: string) => `Add the exit “${exit}”: the sub-flow can end there.`,
  addExit: "Add the exit",
  deleteExit: (exit: string) => `Delete the exit “${exit}”: the sub-flow never ends there.`,
  giveInput: (name: string) => `Give a value for “${name}”: this agent has no variable of that name.`,
  removeInput: (name: string) => `Remove the value for “${name}”: the sub-flow has no such variable.`,
  removeOutput: (name: string) => `Remove the name for “${name}”: the sub-flow collects nothing of that name.`,
  removeIt: "Remove it",
};
export type SubFlowsText = typeof english;

export const subFlowsText = inLanguage("flow-editor/sub-flows", english);
