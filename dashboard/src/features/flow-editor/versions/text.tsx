import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // agent-file.tsx
  importFile: "Import a file",
  importLead:
    "An agent exported from here, or an agent in the API’s format. It replaces this draft; you can undo that.",
  file: "File",
  fileHint: "JSON, up to 2 MB.",
  cancel: "Cancel",
  notJson: "This file isn’t valid JSON.",
  notAnAgent: (place: string, reason: string) =>
    `This file isn’t a valid agent: ${place ? `${place}: ` : ""}${reason || "unknown"}.`,
  noFlow: "The agent in this file has no flow.",

  // comparison.tsx
  noDifference: "No differences that affect calls.",
  differences: "Differences",
  added: "Added",
  removed: "Removed",
  changed: "Changed",
  settingsTitle: "Settings, variables and tools",
  wasNotThere: "not set",
  isGone: "removed",
  valueBefore: "Before:",
  valueAfter: "After:",
  emptyValue: "(empty)",

  // conflict-dialog.tsx
  keptAsCopy: (name: string) => `Your changes were saved as “${name}”. You’re now on the saved draft.`,
  overtakenTitle: "Someone else changed this draft",
  overtakenByYouTitle: "You changed this draft elsewhere",
  copyName: (name: string) => `${name} (my copy)`,
  overtakenLead: (message: string, isByYou: boolean, savedAt: string | null) =>
    `${message}${savedAt === null ? "" : ` It was saved ${savedAt}.`} ${isByYou ? "The changes in this window are" : "Your changes are"} still here, and nothing was overwritten.`,
  loadingTheirs: "Loading their version",
  theirsToYours: "Changes from theirs to yours",
  keepMineAsCopy: "Save mine as a copy and use theirs",
  theirsIsDraft: "You’re now on their version. Undo restores yours.",
  goOnWithTheirs: "Use theirs",
  mineIsDraft: "The draft now has your version. Undo restores theirs.",
  goOnWithMine: "Use mine",
  compareBoth: "Compare both",

  // draft-saver.ts
  changedMeanwhile: "The draft was changed elsewhere before your last changes were saved.",
  pageFailed: "Something went wrong on this page.",
  overtaken: (message: string | undefined) => message ?? "Someone else changed the draft.",
  broughtUpToDate: "The draft was changed elsewhere. You’re now on the latest version.",
  unsavedAreBack: "Unsaved changes from last time were restored.",

  // publish-dialog.tsx
  publishFirst: "Publish the first version",
  publishNew: "Publish a new version",
  publishLead: "New calls use it right away. Calls in progress or in the queue keep their version.",
  fixProblems: "Fix the problems listed below the canvas first.",
  note: "Note (optional)",
  noteHint: "What changed, shown in the list of versions.",
  whatChanges: "What changes",
  notYet: "Cancel",
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
  versionsLead: "Published versions never change.",
  loadingVersions: "Loading versions",
  emptyTitle: "No versions yet",
  emptyText: "Publish the draft to create the first one.",
  showMore: "Show more",
  usedByNewCalls: "Used by new calls",
  version: (version: number) => `Version ${version}`,
  pinnedBy: (code: ReactNode) => <>Pin a call to this version with {code}</>,
  withoutNote: "No note",
  compareVersion: (version: number) => `Compare version ${version}`,
  compare: "Compare",
  takeVersion: (version: number) => `Copy to draft: version ${version}`,
  take: "Copy to draft",
  rollBackTo: (version: number) => `Roll back to version ${version}`,
  rollBack: "Roll back",
  before: "Before",
  after: "After",
  theDraft: "The draft",
  allVersions: "All versions",
  loadingBoth: "Loading both versions",
};

export type VersionsText = typeof english;

export const versionsText = inLanguage("flow-editor/versions", english);
