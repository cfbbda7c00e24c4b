import { inLanguage } from "../../../../languages/texts.ts";

const english = {
  // group-items.tsx: the frame
  ungroup: "Ungroup",
  name: "Name of the group",
  nameThis: "Name this group",

  // group-frames.ts
  group: (name: string) => `Group: ${name || "without a name"}`,

  // group-items.tsx
  groupThem: "Group",
  shiftG: "Shift G",
  leave: "Remove from the group",

  // The keys and the problems.
  keys: "G, Shift G",
  whatKeysDo: "Group the selected nodes, or ungroup them",
  unknownNode: (node: string, group: string) => `Remove “${node}” from the group “${group}”: there is no such node.`,
  groupedTwice: (node: string, group: string) =>
    `Remove “${node}” from the group “${group}”: it belongs to another one.`,
};
export type GroupsText = typeof english;

export const groupsText = inLanguage("flow-editor/groups", english);
