import type { TrunkRoutesText } from "./text.ts";

export const german: TrunkRoutesText = {
  // routes-page.tsx
  routeRemoved: (numbers, trunk) => `Die Route „${numbers}“ zu ${trunk} wurde entfernt.`,
  addRoute: "Route hinzufügen",
  routes: "Routen",
  lead: "Welche Nummern über welchen Trunk gehen. Es gilt die längste Vorwahl, die zu einer Nummer passt.",
  listTitle: "In der Reihenfolge, in der ein Anruf sie versucht",
  loadingRoutes: "Routen werden geladen",
  noRouteYet: "Noch keine Route",
  emptyList: "Ohne Route geht kein Anruf über einen Trunk, und echte Anrufe bleiben im simulierten Netz.",
  emptyWithoutTrunk: "Eine Route führt zu einem Trunk, und es gibt noch keinen.",
  addTrunkFirst: "Zuerst einen Trunk hinzufügen",
  fromAFile: "Aus einer Datei",
  changeRoute: (numbers, trunk) => `Route „${numbers}“ zu ${trunk} ändern`,
  removeRoute: (numbers, trunk) => `Route „${numbers}“ zu ${trunk} entfernen`,
  place: (ordinal) => {
    if (ordinal === 1) return "Wird zuerst versucht";
    return ordinal === 2 ? "Wenn die erste scheitert" : `Wird als Nummer ${ordinal} versucht`;
  },
  placeWhenNoOther: (place) => `${place}, nur wenn keine andere bleibt`,
  placeWithShare: (place, percent) => `${place}, mit ${percent} % der Anrufe`,
  allOtherNumbers: "Alle übrigen Nummern",
  routeSaved: "Die Route wurde gespeichert.",
  routeAdded: (trunk) => `Anrufe gehen ab jetzt über ${trunk}.`,
  changeTitle: "Route ändern",
  numbersThatBeginWith: "Nummern, die beginnen mit",
  allNumbers: "Alle Nummern",
  prefixHint: "Zum Beispiel +49. Leer: alle Nummern ohne eigene Route.",
  trunk: "Trunk",
  order: "Reihenfolge",
  orderHint: "Kleinere Zahlen zuerst; die nächste kommt dran, wenn das scheitert.",
  share: "Anteil",
  shareHint: "Unter Routen gleicher Vorwahl und Reihenfolge.",
  cancel: "Abbrechen",
  save: "Speichern",
  addThisRoute: "Route hinzufügen",
};
