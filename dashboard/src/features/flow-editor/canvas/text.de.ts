import type { EditorCanvasText } from "./text.ts";

function counted(count: number, one: string, many: string): string {
  return count === 0 ? "" : `${count} ${count === 1 ? one : many}`;
}

export const german: EditorCanvasText = {
  // canvas-elements.ts
  lineFromTo: (node, target) => `Von ${node} nach ${target}`,
  nodeLabel: (kind, title, hasProblem) => `${kind}: ${title}${hasProblem ? ", hat ein Problem" : ""}`,
  commentLabel: (text) => `Kommentar: ${text || "leer"}`,

  // canvas-menu.tsx
  edit: "Bearbeiten",
  connect: "Verbinden …",
  keysDuplicate: "Strg D",
  duplicate: "Duplizieren",
  keysCopy: "Strg C",
  copy: "Kopieren",
  keysCut: "Strg X",
  cut: "Ausschneiden",
  keyDelete: "Entf",
  deleteSelected: "Löschen",
  insertNodeItem: "Baustein einfügen …",
  connectElsewhere: "Anders verbinden …",
  removeConnectionItem: "Verbindung entfernen",
  addNodeItem: "Baustein hinzufügen …",
  addComment: "Kommentar hinzufügen",
  keysPaste: "Strg V",
  paste: "Einfügen",
  keysSelectAll: "Strg A",
  selectAll: "Alles auswählen",
  tidyUpRight: "Von links nach rechts anordnen",
  keysTidyUpDown: "Umschalt L",
  tidyUpDown: "Von oben nach unten anordnen",
  showWhole: "Ganzen Ablauf zeigen",

  // canvas-shapes.tsx
  calls: (calls) => `${calls} ${calls === 1 ? "Anruf" : "Anrufe"}`,
  visitsInCalls: (visits, calls) =>
    `${visits} ${visits === 1 ? "Besuch" : "Besuche"} in ${calls} ${calls === 1 ? "Anruf" : "Anrufen"}`,
  hungUp: (calls) => `${calls} aufgelegt`,
  hungUpTitle: (hangUps) =>
    `Die angerufene Person hat hier in ${hangUps} ${hangUps === 1 ? "Anruf" : "Anrufen"} aufgelegt`,
  unclear: (notUnderstood) => `${notUnderstood} unklar`,
  unclearTitle: (notUnderstood) =>
    notUnderstood === 1 ? "1 Antwort wurde nicht verstanden" : `${notUnderstood} Antworten wurden nicht verstanden`,
  medianTime: "So lange bleiben Anrufe hier (Median)",
  inLatestCalls: "In den letzten Anrufen",
  nothingWrittenYet: "Noch kein Text",
  globalTitle: "Angerufene Personen können von jeder Frage aus hierher kommen",
  global: "Überall erreichbar",
  hasProblem: "Hat ein Problem",
  hasWarning: "Hat eine Warnung",
  comment: "Kommentar",
  commentPlaceholder: "Kommentar für Ihr Team",
  removeConnection: "Diese Verbindung entfernen",
  color: (name) => `Farbe: ${name}`,
  colors: { yellow: "Gelb", green: "Grün", blue: "Blau", purple: "Violett", red: "Rot", gray: "Grau" },

  // empty-canvas.tsx
  emptyTitle: "Was soll der Agent tun?",
  emptyText:
    "Beginnen Sie mit dem, was er als Erstes sagt. Weitere Bausteine fügen Sie links oder mit der Taste A hinzu.",
  startWithGreeting: "Mit einer Begrüßung beginnen",
  useTemplate: "Vorlage verwenden",
  describeIt: "Beschreiben",
  importFile: "Datei importieren",

  // flow-canvas.tsx
  changeNodeByKey: "Eingabe- oder Leertaste wählt einen Baustein aus. Entf entfernt ihn, Escape bricht ab.",
  moveNodeByKey:
    "Eingabe- oder Leertaste wählt einen Baustein aus. Die Pfeiltasten verschieben ihn dann, Entf entfernt ihn, Escape bricht ab.",
  changeLineByKey: "Eingabe- oder Leertaste wählt eine Verbindung aus. Entf entfernt sie dann, Escape bricht ab.",
  nodeMoved: (x, y) => `Der ausgewählte Baustein wurde verschoben. Neue Position, x: ${x}, y: ${y}`,
  selectNodeByKey: "Eingabe- oder Leertaste wählt einen Baustein aus.",
  theFlow: "Der Ablauf",
  flowMap: "Der ganze Ablauf im Kleinen",

  // palette.tsx
  addNode: "Baustein hinzufügen",
  search: "Suchen",
  searchKindsPurpose: "Finden Sie den passenden Baustein. Taste: A",
  searchKinds: "Bausteine durchsuchen",
  commentPurpose: "Text für Ihr Team; in Anrufen ist er nie zu hören",

  // pickers.tsx
  findNode: "Baustein suchen",
  searchPlaceholder: "Baustein, Seite, Agent, Anruf oder Anleitung",
  searchEmpty: "Nichts gefunden.",
  goTo: "Gehe zu",
  whatShouldItDo: "Was soll er tun?",
  noKindMatches: "Kein Baustein passt dazu.",
  insertNode: "Baustein einfügen",
  connectWhichExit: "Welchen Ausgang verbinden?",
  searchExits: "Ausgänge durchsuchen",
  noExitMatches: "Kein Ausgang passt dazu.",
  whereDoesItLead: "Wohin führt er?",
  targetPlaceholder: "Ein neuer oder ein vorhandener Baustein",
  noNodeMatches: "Kein Baustein passt dazu.",
  newNode: (kind) => `Neu: ${kind}`,
  leadsTo: (target) => `Führt zu ${target}`,
  notConnectedYet: "Noch nicht verbunden",

  // use-keyboard-shortcuts.ts
  removed: ({ nodes, comments, groups, connections }) =>
    `${[
      counted(nodes, "Baustein", "Bausteine"),
      counted(comments, "Kommentar", "Kommentare"),
      counted(groups, "Gruppe", "Gruppen"),
      counted(connections, "Verbindung", "Verbindungen"),
    ]
      .filter((part) => part !== "")
      .join(" und ")} entfernt.`,

  // viewport.tsx
  zoom: "Zoom",
  zoomOut: "Verkleinern",
  zoomTo100: (shown) => `${shown}, auf 100 % setzen`,
  zoomIn: "Vergrößern",
};
