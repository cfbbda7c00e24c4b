import type { Mode } from "@parley/contract/shared-fields";
import { formatCount } from "../../languages/language.ts";
import { inLanguage } from "../../languages/texts.ts";

const english = {
  // agent-badges.tsx
  notPublished: "Not published",
  version: (version: number): string => `Version ${version}`,
  draftIsNewer: "Draft is newer",

  // agent-menu.tsx
  moreFor: (name: string): string => `More actions for ${name}`,
  rename: "Rename",
  duplicate: "Duplicate",
  deleteLabel: "Delete",
  isBack: (name: string): string => `“${name}” is back.`,
  wasDeleted: (name: string): string => `“${name}” was deleted.`,

  // agent-page.tsx
  agent: "Agent",
  loadingAgent: "Loading agent",
  openBuilder: "Open builder",
  publishDraft: "Publish draft",
  about: "About",
  engine: "Engine",
  defaultEngineOfAgent: "Default",
  language: "Language",
  stepsInDraft: "Steps in the draft",
  changed: "Changed",
  created: "Created",
  callsOfThisAgent: "Calls with this agent",
  compareVersions: "Compare versions",
  agents: "Agents",
  noSuchAgent: "Agent not found",
  agentNotFetched: "The agent could not be loaded",
  noSuchAgentHint: "It may have been deleted, or belong to another account.",
  renameAgent: "Rename agent",
  name: "Name",
  description: "Description",
  descriptionHint: "Shown to members of the account.",
  cancel: "Cancel",
  save: "Save",
  changedMeanwhile: "Someone else has changed the agent. Close this dialog and try again.",
  publishLead: "New calls use it from now on. Calls in progress and queued calls keep their version.",
  noteOptional: "Note (optional)",
  whatIsNew: "What changed",
  noteHint: "Shown in the list of versions.",
  notYet: "Cancel",
  publish: "Publish",
  published: (version: number): string => `Version ${version} is published.`,
  /** The warning is in English; other languages say where to read it in theirs. */
  publishedWithWarning: (version: number, warning: string): string => `Version ${version} is published. ${warning}`,
  notPublishable: "The draft can’t be published yet:",

  // agent-numbers.tsx
  endedCalls: (mode: Mode): string => `Ended ${mode} calls`,
  moreNumbers: "View usage",

  // node-funnel.tsx
  stepByStep: "Step by step",
  versionOfSteps: "Version whose steps are shown",
  allVersions: "All versions",
  noSteps: "No steps to show yet",
  noStepsBeforePublishing: "Once the agent is published and in use, this shows how far callees get.",
  noStepsHint: (mode: Mode, isOneVersion: boolean): string =>
    `No ${mode} call ${isOneVersion ? "with this version" : "with this agent"} has been answered.`,
  loadingSteps: "Loading steps",
  latestCalls: (calls: number): string =>
    calls === 1 ? "The last answered call." : `The last ${formatCount(calls)} answered calls.`,
  step: "Step",
  calls: "Calls",
  visits: "Visits",
  hungUp: "Hung up",
  hungUpNote: "Calls in which the callee hung up at this step",
  notUnderstood: "Not understood",
  notUnderstoodNote: "Answers that were not understood at this step",
  medianTime: "Time",
  medianTimeNote: "The median time that calls spent at this step",

  // agent-snippets.tsx
  useFromCode: "Use from code",
  publishToCall: "Publish the agent before placing calls with it.",
  placeCallFromCode: "Place a call with this agent",

  // agents-page.tsx
  fromATemplate: "From a template",
  newAgent: "New agent",
  agentsLead: "Each agent has a draft you edit and a published version that calls use.",
  loadingAgents: "Loading agents",
  noAgentsYet: "No agents yet",
  noAgentsHint: "Lay out what an agent says and asks, step by step.",
  showMore: "Show more",
  templateTitle: "New agent from a template",
  templateLead: "A complete agent to start from, including its scenarios.",
  noDescription: "No description",
  defaultEngine: "Default engine",

  // create-agent-dialog.tsx
  duplicateTitle: (name: string): string => `Duplicate “${name}”`,
  createLead: "It starts as a draft and makes no calls until you publish it.",
  namePlaceholder: "Appointment reminder",
  startFrom: "Start from",
  startFromHint: "Changing a copy does not affect the original.",
  emptyFlow: "An empty flow",
  copyOf: (name: string): string => `A copy of ${name}`,
  nameOfCopy: (name: string): string => `${name} (copy)`,
  createAgent: "Create agent",

  // version-list.tsx
  versions: "Versions",
  loadingVersions: "Loading versions",
  noVersions: "Nothing published yet",
  noVersionsHint: "Publishing saves the draft as a version that calls can use.",
  inUse: "In use",
  noNote: "No note",
  rollBackToVersion: (version: number): string => `Roll back to version ${version}`,
  rollBack: "Roll back",
  notUndone: (version: number | null): string => `Nothing was undone: new calls already use version ${version}.`,
  undone: (before: number): string => `Undone. New calls use version ${before}.`,
  rolledBack: (to: number): string => `Rolled back to version ${to}. New calls use it.`,
  rollBackQuestion: (to: number): string => `Roll back to version ${to}?`,
  rollBackLead: (from: number | null, to: number): string =>
    `New calls will use version ${to}${from === null ? "" : ` instead of version ${from}`} right away. Calls that were already placed keep their version, and the draft stays as it is.`,
  keepVersion: (from: number): string => `Keep version ${from}`,
};

export type AgentsText = typeof english;

export const agentsText = inLanguage("agents", english);
