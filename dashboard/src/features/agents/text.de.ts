import { formatCount } from "../../languages/language.ts";
import type { AgentsText } from "./text.ts";

export const german: AgentsText = {
  // agent-badges.tsx
  notPublished: "Nicht veröffentlicht",
  version: (number) => `Version ${number}`,
  draftIsNewer: "Entwurf ist neuer",

  // agent-menu.tsx
  moreFor: (name) => `Mehr zu ${name}`,
  rename: "Umbenennen",
  duplicate: "Duplizieren",
  deleteLabel: "Löschen",
  isBack: (name) => `„${name}“ ist wieder da.`,
  wasDeleted: (name) => `„${name}“ wurde gelöscht.`,

  // agent-page.tsx
  agent: "Agent",
  loadingAgent: "Agent wird geladen",
  openBuilder: "Editor öffnen",
  publishDraft: "Entwurf veröffentlichen",
  about: "Details",
  engine: "Engine",
  defaultEngineOfAgent: "Standard",
  language: "Sprache",
  stepsInDraft: "Schritte im Entwurf",
  changed: "Geändert",
  created: "Erstellt",
  callsOfThisAgent: "Anrufe dieses Agenten",
  compareVersions: "Versionen vergleichen",
  agents: "Agenten",
  noSuchAgent: "Diesen Agenten gibt es nicht",
  agentNotFetched: "Der Agent konnte nicht geladen werden",
  noSuchAgentHint: "Vielleicht wurde er gelöscht, oder er gehört zu einem anderen Konto.",
  renameAgent: "Agent umbenennen",
  name: "Name",
  description: "Beschreibung",
  descriptionHint: "Für die Mitglieder des Kontos sichtbar.",
  cancel: "Abbrechen",
  save: "Speichern",
  changedMeanwhile:
    "Jemand anderes hat den Agenten inzwischen geändert. Schließen Sie das Fenster und versuchen Sie es erneut.",
  publishLead: "Neue Anrufe verwenden ihn ab sofort. Laufende und wartende Anrufe behalten ihre Version.",
  noteOptional: "Notiz (optional)",
  whatIsNew: "Was ist neu",
  noteHint: "Erscheint in der Liste der Versionen.",
  notYet: "Abbrechen",
  publish: "Veröffentlichen",
  published: (version) => `Version ${version} ist veröffentlicht.`,
  publishedWithWarning: (version) =>
    `Version ${version} ist veröffentlicht. Der Editor zeigt Hinweise, die Anrufe betreffen.`,
  notPublishable: "Noch nicht zu veröffentlichen:",

  // agent-numbers.tsx
  endedCalls: (mode) => (mode === "test" ? "Beendete Testanrufe" : "Beendete Anrufe im Livebetrieb"),
  moreNumbers: "Mehr Zahlen",

  // node-funnel.tsx
  stepByStep: "Schritt für Schritt",
  versionOfSteps: "Version, deren Schritte gezeigt werden",
  allVersions: "Alle Versionen",
  noSteps: "Noch keine Schritte",
  noStepsBeforePublishing: "Sobald der Agent veröffentlicht ist und anruft, steht hier, wie weit Angerufene kommen.",
  noStepsHint: (mode, isOneVersion) => {
    const call = mode === "test" ? "Kein Testanruf" : "Kein Anruf im Livebetrieb";
    return `${call} ${isOneVersion ? "mit dieser Version" : "dieses Agenten"} wurde angenommen.`;
  },
  loadingSteps: "Schritte werden geladen",
  latestCalls: (calls) =>
    calls === 1 ? "Der letzte angenommene Anruf." : `Die letzten ${formatCount(calls)} angenommenen Anrufe.`,
  step: "Schritt",
  calls: "Anrufe",
  visits: "Besuche",
  hungUp: "Aufgelegt",
  hungUpNote: "Anrufe, in denen an diesem Schritt aufgelegt wurde",
  notUnderstood: "Nicht verstanden",
  notUnderstoodNote: "Antworten, die an diesem Schritt nicht verstanden wurden",
  medianTime: "Dauer",
  medianTimeNote: "Zeit, die Anrufe im Median an diesem Schritt verbrachten",

  // agent-snippets.tsx
  useFromCode: "Aus Programmen verwenden",
  publishToCall: "Veröffentlichen Sie den Agenten, bevor Sie Anrufe mit ihm starten.",
  placeCallFromCode: "Einen Anruf mit diesem Agenten starten",

  // agents-page.tsx
  fromATemplate: "Aus Vorlage",
  newAgent: "Neuer Agent",
  agentsLead:
    "Jeder Agent hat einen Entwurf, den Sie bearbeiten, und eine veröffentlichte Version, die Anrufe verwenden.",
  loadingAgents: "Agenten werden geladen",
  noAgentsYet: "Noch keine Agenten",
  noAgentsHint: "Legen Sie Schritt für Schritt fest, was ein Agent sagt und fragt.",
  showMore: "Mehr anzeigen",
  templateTitle: "Neuer Agent aus einer Vorlage",
  templateLead: "Ein vollständiger Agent als Ausgangspunkt, mit seinen Szenarien.",
  noDescription: "Keine Beschreibung",
  defaultEngine: "Standard-Engine",

  // create-agent-dialog.tsx
  duplicateTitle: (name) => `„${name}“ duplizieren`,
  createLead: "Er beginnt als Entwurf. Solange er nicht veröffentlicht ist, ruft er niemanden an.",
  namePlaceholder: "Terminerinnerung",
  startFrom: "Ausgangspunkt",
  startFromHint: "Änderungen an einer Kopie betreffen das Original nicht.",
  emptyFlow: "Ein leerer Ablauf",
  copyOf: (name) => `Eine Kopie von ${name}`,
  nameOfCopy: (name) => `${name} (Kopie)`,
  createAgent: "Agent erstellen",

  // version-list.tsx
  versions: "Versionen",
  loadingVersions: "Versionen werden geladen",
  noVersions: "Noch nichts veröffentlicht",
  noVersionsHint: "Beim Veröffentlichen wird der Entwurf als Version festgehalten. Erst dann kann der Agent anrufen.",
  inUse: "In Verwendung",
  noNote: "Keine Notiz",
  rollBackToVersion: (version) => `Auf Version ${version} zurücksetzen`,
  rollBack: "Zurücksetzen",
  notUndone: (version) => `Nichts rückgängig gemacht: Neue Anrufe verwenden inzwischen Version ${version}.`,
  undone: (before) => `Rückgängig gemacht. Neue Anrufe verwenden Version ${before}.`,
  rolledBack: (to) => `Auf Version ${to} zurückgesetzt. Neue Anrufe verwenden sie.`,
  rollBackQuestion: (to) => `Auf Version ${to} zurücksetzen?`,
  rollBackLead: (from, to) =>
    `Neue Anrufe verwenden sofort Version ${to}${from === null ? "" : ` statt Version ${from}`}. Bereits gestartete Anrufe behalten ihre Version, und der Entwurf bleibt, wie er ist.`,
  keepVersion: (from) => `Bei Version ${from} bleiben`,
};
