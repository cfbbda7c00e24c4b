import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // agent-file.tsx
  importFile: "Import a file",
  importLead:
    "An agent that was exported here, or the document that the API takes. It takes the place of this draft; undo brings yours back.",
  file: "File",
  fileHint: "JSON, up to 2 MB.",
  cancel: "Cancel",
  notJson: "The file is not JSON.",
  notAnAgent: (place: string, reason: string) =>
    `This is no agent: ${place ? `${place}: ` : ""}${reason || "unknown"}.`,
  noFlow: "The agent in this file has no flow.",

  // comparison.tsx
  noDifference: "No call would notice a difference.",
  differences: "Differences",
  added: "Added",
  removed: "Removed",
  changed: "Changed",
  settingsTitle: "Settings, variables and tools",
  wasNotThere: "was not there",
  isGone: "is gone",
  valueBefore: "Before:",
  valueAfter: "After:",
  emptyValue: "(empty)",

  // conflict-dialog.tsx
  keptAsCopy: (name: string) => `Your changes are in “${name}”. This is the draft as it was saved.`,
  overtakenTitle: "Someone else changed this draft",
  overtakenByYouTitle: "You changed this draft elsewhere",
  copyName: (name: string) => `${name} (my copy)`,
  overtakenLead: (message: string, isByYou: boolean, savedAt: string | null) =>
    `${message}${savedAt === null ? "" : ` It was saved ${savedAt}.`} ${isByYou ? "The changes in this window are" : "Your changes are"} still here, and nothing was overwritten.`,
  loadingTheirs: "Loading what they saved",
  theirsToYours: "From theirs to yours",
  keepMineAsCopy: "Keep mine as a copy, go on with theirs",
  theirsIsDraft: "This is the draft as they saved it. Undo brings yours back.",
  goOnWithTheirs: "Go on with theirs",
  mineIsDraft: "Yours is the draft now. Undo brings theirs back.",
  goOnWithMine: "Go on with mine",
  compareBoth: "Compare both",

  // draft-saver.ts
  changedMeanwhile: "While your last changes waited to be saved, the draft was changed elsewhere.",
  pageFailed: "Something went wrong in this page.",
  overtaken: (message: string | undefined) => message ?? "Someone else changed the draft.",
  broughtUpToDate: "The draft was changed elsewhere. This is the latest.",
  unsavedAreBack: "Changes that were not saved last time are back.",

  // publish-dialog.tsx
  publishFirst: "Publish the first version",
  publishNew: "Publish a new version",
  publishLead: "New calls use it at once. Calls that are under way or queued keep the version they were accepted with.",
  fixProblems: "Fix the problems listed below the canvas first.",
  note: "Note (optional)",
  noteHint: "What changed, shown in the list of versions.",
  whatChanges: "What changes",
  notYet: "Not yet",
  publish: "Publish",
  runAllScenarios: "Run all scenarios",
  scenariosDangle: (count: number) =>
    count === 1
      ? "A scenario expects something that is no longer in the flow."
      : `${count} scenarios expect something that is no longer in the flow.`,
  scenariosFail: (failed: number, all: number) =>
    all === 1 ? "The scenario fails. Publish anyway?" : `${failed} of ${all} scenarios fail. Publish anyway?`,
  scenariosPass: (all: number) =>
    all === 1 ? "The scenario passes with this flow." : `All ${all} scenarios pass with this flow.`,
  scenariosNotRun: "The scenarios have not been run with this flow.",
  scenariosPartlyRun: "Some scenarios have not been run with this flow.",

  // versions-dialog.tsx
  versions: "Versions",
  versionsLead: "Each was frozen when it was published.",
  loadingVersions: "Loading the versions",
  emptyTitle: "No versions yet",
  emptyText: "Publishing the draft makes the first one.",
  showMore: "Show more",
  usedByNewCalls: "Used by new calls",
  version: (version: number) => `Version ${version}`,
  pinnedBy: (code: ReactNode) => <>A call is pinned to it by {code}</>,
  withoutNote: "Without a note",
  compareVersion: (version: number) => `Compare version ${version}`,
  compare: "Compare",
  takeVersion: (version: number) => `Bring version ${version} into the draft`,
  take: "Into the draft",
  rollBackTo: (version: number) => `Roll back to version ${version}`,
  rollBack: "Roll back",
  before: "Before",
  after: "After",
  theDraft: "The draft",
  allVersions: "All versions",
  loadingBoth: "Loading both",
};

export type VersionsText = typeof english;

export const versionsText = inLanguage("flow-editor/versions", english);
