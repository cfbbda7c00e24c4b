import type { MembersText } from "./text.ts";

export const german: MembersText = {
  // member-queries.ts
  roles: { owner: "Inhaber", member: "Mitglied" },
  roleMeanings: {
    owner: "Darf alles, auch Mitglieder, Limits, Einstellungen und Protokoll.",
    member: "Arbeitet mit Anrufen, Agenten, Schlüsseln und Webhooks.",
  },

  // members-page.tsx
  members: "Mitglieder",
  lead: "Mitglieder teilen sich Anrufe, Agenten und Guthaben des Kontos.",
  invite: "Einladen",
  forOwners: "die Liste der Mitglieder",
  loadingMembers: "Mitglieder werden geladen",
  noMembers: "Keine Mitglieder",
  emptyList: "Laden Sie ein Mitglied per Link ein.",
  notClaimedYet: "Noch nicht eingerichtet",
  you: "Sie",
  operator: "Betreiber",
  invited: "Eingeladen",
  invitedWhen: (when) => `Eingeladen ${when}. Der Link gilt sieben Tage.`,
  hereSince: (when) => `Dabei seit ${when}`,
  newLinkFor: (name) => `Neuer Link für ${name}`,
  newLink: "Neuer Link",
  remove: "Entfernen",
  removeMember: (name) => `${name} entfernen`,
  nowOwner: (email) => `${email ?? "Das Mitglied"} ist jetzt Inhaber.`,
  nowMember: (email) => (email === null ? "Die Rolle ist jetzt Mitglied." : `${email} ist jetzt Mitglied.`),
  roleOf: (email) => (email === null ? "Rolle des Mitglieds" : `Rolle von ${email}`),
  invitationRevoked: "Einladung zurückgezogen.",
  wasRemoved: (email) => `${email} wurde entfernt.`,
  revokeQuestion: "Einladung zurückziehen?",
  removeQuestion: (email) => `${email} entfernen?`,
  revokeConsequence: "Der Link funktioniert sofort nicht mehr. Sie können die Person erneut einladen.",
  removeConsequence:
    "Das Mitglied wird bei der nächsten Anfrage überall abgemeldet. Von ihm erstellte Schlüssel funktionieren weiter. Sie können es erneut einladen.",
  keep: "Behalten",
  revoke: "Zurückziehen",
  newLinkTitle: "Neuen Link erstellen",
  inviteTitle: "Mitglied einladen",
  newLinkLead: "Der bisherige Link funktioniert dann nicht mehr.",
  inviteLead: "Über einen Link, der sieben Tage gilt, wählt das Mitglied ein eigenes Passwort.",
  email: "E-Mail",
  role: "Rolle",
  cancel: "Abbrechen",
  createLink: "Link erstellen",
  linkMailed: "Der Link wurde per E-Mail gesendet. Sie können ihn auch selbst weitergeben.",
  linkNotMailed:
    "Es wurde keine E-Mail gesendet. Geben Sie den Link selbst weiter; er wird nur einmal angezeigt und gilt sieben Tage.",
  link: "Link",
  done: "Fertig",
};
