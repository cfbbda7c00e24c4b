import type { SettingsText } from "./text.tsx";

export const german: SettingsText = {
  // account-page.tsx
  account: "Konto",
  email: "E-Mail",
  accountLead: "Ihr Profil, Ihr Passwort und Ihre Anmeldung.",
  youAndYourAccount: "Sie und Ihr Konto",
  role: "Rolle",
  owner: "Inhaber",
  member: "Mitglied",
  operator: "Betreiber",
  accountSince: "Konto seit",
  accountId: "Konto-ID",
  loadingYourAccount: "Ihr Konto wird geladen",
  password: "Passwort",
  passwordChanged: "Passwort geändert. Ihre anderen Sitzungen wurden abgemeldet.",
  currentPassword: "Aktuelles Passwort",
  newPassword: "Neues Passwort",
  changePassword: "Passwort ändern",
  signIn: "Anmeldung",
  signedInSince: (since) => (
    <>
      Dieser Browser ist seit {since} angemeldet. Er wird nach 12 Stunden ohne Nutzung abgemeldet, spätestens nach 7
      Tagen.
    </>
  ),
  signOutEverywhereHint: "Meldet Sie in allen Browsern ab. API-Schlüssel sind nicht betroffen.",
  signOutEverywhere: "Überall abmelden",

  // for-owners.tsx
  oneMoment: "Einen Moment",
  forOwners: "Nur für Inhaber",
  onlyOwnersSee: (what) => `Nur Inhaber des Kontos sehen und ändern ${what}. Wenden Sie sich an einen von ihnen.`,

  // settings-frame.tsx
  security: "Sicherheit",
  developer: "Entwickler",
  webhooks: "Webhooks",
  alerts: "Warnungen",
  mcpServers: "MCP-Server",
  billing: "Abrechnung",
  limitsAndHours: "Limits und Anrufzeiten",
  suppressionList: "Sperrliste",
  members: "Mitglieder",
  auditLog: "Protokoll",
  settings: "Einstellungen",

  // use-save-settings.ts
  changeUndone: "Änderung rückgängig gemacht.",
};
