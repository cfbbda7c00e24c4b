import type { GroupsText } from "./text.ts";

export const german: GroupsText = {
  ungroup: "Gruppierung aufheben",
  name: "Name der Gruppe",
  nameThis: "Name der Gruppe",
  group: (name) => `Gruppe: ${name || "ohne Namen"}`,
  groupThem: "Gruppieren",
  shiftG: "Umschalt G",
  leave: "Aus der Gruppe entfernen",
  keys: "G, Umschalt G",
  whatKeysDo: "Ausgewählte Bausteine gruppieren oder die Gruppierung aufheben",
  unknownNode: (node, group) => `Entfernen Sie „${node}“ aus der Gruppe „${group}“: Diesen Baustein gibt es nicht.`,
  groupedTwice: (node, group) => `Entfernen Sie „${node}“ aus der Gruppe „${group}“: Er gehört zu einer anderen.`,
};
