import { inLanguage } from "../../../languages/texts.ts";

interface RemovedCounts {
  readonly nodes: number;
  readonly comments: number;
  readonly groups: number;
  readonly connections: number;
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? "" : `${count} ${count === 1 ? one : many}`;
}

const english = {
  // canvas-elements.ts
  lineFromTo: (node: string, target: string) => `From ${node} to ${target}`,

  nodeLabel: (kind: string, title: string, hasProblem: boolean) =>
    `${kind}: ${title}${hasProblem ? ", has a problem" : ""}`,
  commentLabel: (text: string) => `Comment: ${text || "empty"}`,

  // canvas-menu.tsx
  edit: "Edit",
  connect: "Connect…",
  keysDuplicate: "Ctrl D",
  duplicate: "Duplicate",
  keysCopy: "Ctrl C",
  copy: "Copy",
  keysCut: "Ctrl X",
  cut: "Cut",
  keyDelete: "Del",
  deleteSelected: "Delete",
  insertNodeItem: "Insert a node…",
  connectElsewhere: "Connect elsewhere…",
  removeConnectionItem: "Remove the connection",
  addNodeItem: "Add a node…",
  addComment: "Add a comment",
  keysPaste: "Ctrl V",
  paste: "Paste",
  keysSelectAll: "Ctrl A",
  selectAll: "Select all",
  tidyUpRight: "Tidy up, left to right",
  keysTidyUpDown: "Shift L",
  tidyUpDown: "Tidy up, top to bottom",
  showWhole: "Show the whole flow",

  // canvas-shapes.tsx
  calls: (calls: number) => `${calls} ${calls === 1 ? "call" : "calls"}`,
  visitsInCalls: (visits: number, calls: number) =>
    `${counted(visits, "visit", "visits")} in ${counted(calls, "call", "calls")}`,
  hungUp: (calls: string) => `${calls} hung up`,
  hungUpTitle: (hangUps: number) => `The callee hung up here in ${counted(hangUps, "call", "calls")}`,
  unclear: (notUnderstood: number) => `${notUnderstood} unclear`,
  unclearTitle: (notUnderstood: number) =>
    `${notUnderstood} ${notUnderstood === 1 ? "answer was" : "answers were"} not understood`,
  medianTime: "The median time that calls spend here",
  inLatestCalls: "In the latest calls",
  nothingWrittenYet: "Nothing written yet",
  globalTitle: "Callees can get here from any question",
  global: "Global",
  hasProblem: "Has a problem",
  hasWarning: "Has a warning",
  comment: "Comment",
  commentPlaceholder: "Comment for your team",
  removeConnection: "Remove this connection",

  color: (name: string) => `Color: ${name}`,
  colors: { yellow: "yellow", green: "green", blue: "blue", purple: "purple", red: "red", gray: "gray" },

  // empty-canvas.tsx
  emptyTitle: "What should the agent do?",
  emptyText: "Start with the first thing it says, then add nodes from the left or press A.",
  startWithGreeting: "Start with a greeting",
  useTemplate: "Use a template",
  describeIt: "Describe it",
  importFile: "Import a file",

  // flow-canvas.tsx
  changeNodeByKey: "Press Enter or Space to select a node. Press Delete to remove it, or Escape to cancel.",
  moveNodeByKey:
    "Press Enter or Space to select a node. Then move it with the arrow keys, press Delete to remove it, or Escape to cancel.",
  changeLineByKey: "Press Enter or Space to select a connection. Then press Delete to remove it, or Escape to cancel.",
  nodeMoved: (x: number, y: number) => `Moved the selected node. New position, x: ${x}, y: ${y}`,
  selectNodeByKey: "Press Enter or Space to select a node.",
  theFlow: "The flow",
  flowMap: "Map of the flow",

  // palette.tsx
  addNode: "Add a node",
  search: "Search",
  searchKindsPurpose: "Find a type of node. Key: A",
  searchKinds: "Search node types",
  commentPurpose: "Text for your team; callees never hear it",

  // pickers.tsx
  findNode: "Find a node",
  searchPlaceholder: "Node, page, agent, call or guide",
  searchEmpty: "Nothing found.",
  goTo: "Go to",
  whatShouldItDo: "What should it do?",
  noKindMatches: "No matching node types.",
  insertNode: "Insert a node",
  connectWhichExit: "Connect which exit?",
  searchExits: "Search exits",
  noExitMatches: "No matching exits.",
  whereDoesItLead: "Where does it lead?",
  targetPlaceholder: "New or existing node",
  noNodeMatches: "No matching nodes.",
  newNode: (kind: string) => `New: ${kind}`,
  leadsTo: (target: string) => `Leads to ${target}`,
  notConnectedYet: "Not connected yet",

  // use-keyboard-shortcuts.ts
  removed: ({ nodes, comments, groups, connections }: RemovedCounts) =>
    `${[
      counted(nodes, "node", "nodes"),
      counted(comments, "comment", "comments"),
      counted(groups, "group", "groups"),
      counted(connections, "connection", "connections"),
    ]
      .filter((part) => part !== "")
      .join(" and ")} removed.`,

  // viewport.tsx
  zoom: "Zoom",
  zoomOut: "Zoom out",
  zoomTo100: (shown: string) => `${shown}, zoom to 100%`,
  zoomIn: "Zoom in",
};

export type EditorCanvasText = typeof english;

export const editorCanvasText = inLanguage("flow-editor/canvas", english);
