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
  notListed: "An agent you can’t open",
  open: "Open it in a new tab",
  newer: (version: number) => `Version ${version} has been published. This node uses an older one.`,
  update: (version: number) => `Update to version ${version}`,
  couldNotLoad: "The flow could not be loaded. Try again.",
  inputs: "Its variables",
  inputsHint:
    "An expression such as collected.day, or text in quotes. Leave empty to use this agent’s variable of the same name.",
  exits: "When it ends",
  noExits: "Every path in this flow ends the call, so it never returns here.",
  choose: "Choose…",
  saves: "What it collects",
  savesHint: (name: string) => `Saved as ${name} if empty.`,

  // make-sub-flow.tsx
  makeItem: "Create a sub-flow…",
  makeCommand: "Create a sub-flow from the selection",
  makeCommandNote: "Turns the selected nodes into a separate agent",
  makeTitle: "Create a sub-flow from the selection",
  makeLead:
    "The selected nodes become a separate agent, which is published right away. In this flow, a single node replaces them.",
  looking: "Checking the selection",
  partName: "Name of the new agent",
  partNameHint: "Other agents can use it under this name too.",
  make: "Create sub-flow",
  cancel: "Cancel",
  close: "Close",
  itsNodes: "Its nodes",
  itsExits: "Where it leads",
  made: (name: string) =>
    `“${name}” is now a separate agent, published as version 1. Undo restores the nodes; the agent is kept.`,
  madeButChanged: (name: string) =>
    `“${name}” was created and published, but this flow changed in the meantime and does not use it yet.`,
  nothingToCut: "Select nodes that belong together first. An End alone can’t become a sub-flow.",
  startStays: "The start has to stay in this flow. Remove it from the selection.",
  voicemailStays: "The voicemail message has to stay in this flow. Remove it from the selection.",
  noEntry: "No connection leads to the selected nodes. Connect one of them first.",
  globalStays: (title: string) =>
    `Callees can get to “${title}” from any question, which is not possible inside a sub-flow. Remove it from the selection.`,
  manyEntries: (titles: readonly string[]) =>
    `Connections lead to more than one of the selected nodes: ${titles.map((title) => `“${title}”`).join(", ")}. A sub-flow begins at one node. Select the nodes before these too, or fewer nodes.`,
  twoSources: (name: string) =>
    `“${name}” gets its value in more than one place, and the selected nodes use it. Select all nodes that save it, or save it under different names.`,
  notText: (name: string) =>
    `A condition uses “${name}”, a yes or no saved by another node. Sub-flows only take text and numbers as inputs. Select the node that saves it too.`,
  tooMany: {
    inputs: (max: number) => `The selected nodes use more than ${max} values of other nodes. Select fewer nodes.`,
    exits: (max: number) => `The selected nodes lead to more than ${max} others. Select fewer nodes.`,
    saves: (max: number) => `The selected nodes save more than ${max} values. Select fewer nodes.`,
  },
  hasProblem: (place: string | null, problem: string) =>
    `Fix this first: ${place === null ? "" : `${place}: `}${problem}`,

  // Problems.
  chooseOne: "Choose the flow that this node uses.",
  unknown: "Choose another flow: this version was deleted, or never published.",
  cycle: "Choose another flow: this one contains the agent itself.",
  tooDeep: (max: string) => `Use fewer sub-flows in sub-flows: at most ${max} can be in each other.`,
  tooManyNodes: (max: string) => `Use a smaller flow: with its nodes this agent would have more than ${max}.`,
  tooManyVariables: (max: string) => `Use a flow with at most ${max} variables.`,
  nameTooLong: (name: string) => `Give this node a shorter id: “${name}” is too long.`,
  /** The compiler says in English what does not fit; `worded` is what the builder calls it. */
  conflict: (mistake: string, worded: string | null) => `The sub-flow does not fit here: ${worded ?? mistake}`,
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
