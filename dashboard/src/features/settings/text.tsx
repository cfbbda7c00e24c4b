import type { ReactNode } from "react";
import { inLanguage } from "../../languages/texts.ts";

const english = {
  // account-page.tsx
  account: "Account",
  email: "Email",
  accountLead: "Your profile, password and sign-in.",
  youAndYourAccount: "You and your account",
  role: "Role",
  owner: "Owner",
  member: "Member",
  operator: "Operator",
  accountSince: "Account since",
  accountId: "Account ID",
  loadingYourAccount: "Loading your account",
  password: "Password",
  passwordChanged: "Password changed. Your other sessions were signed out.",
  currentPassword: "Current password",
  newPassword: "New password",
  changePassword: "Change password",
  signIn: "Sign-in",
  signedInSince: (since: ReactNode) => (
    <>
      This browser has been signed in since {since}. It is signed out after 12 hours without use, and after 7 days at
      the latest.
    </>
  ),
  signOutEverywhereHint: "Signs you out in every browser. API keys are not affected.",
  signOutEverywhere: "Sign out everywhere",

  // for-owners.tsx
  oneMoment: "One moment",
  forOwners: "For owners",
  onlyOwnersSee: (what: string) => `Only owners of the account have access to ${what}. Ask one of them.`,

  // settings-frame.tsx
  security: "Security",
  developer: "Developer",
  webhooks: "Webhooks",
  alerts: "Alerts",
  mcpServers: "MCP servers",
  billing: "Billing",
  limitsAndHours: "Limits and hours",
  suppressionList: "Suppression list",
  members: "Members",
  auditLog: "Audit log",
  settings: "Settings",

  // use-save-settings.ts
  changeUndone: "Change undone.",
};

export type SettingsText = typeof english;

export const settingsText = inLanguage("settings", english);
