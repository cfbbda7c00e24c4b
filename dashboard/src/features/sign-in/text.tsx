import type { ReactNode } from "react";
import { inLanguage } from "../../languages/texts.ts";

const english = {
  // claim-page.tsx
  joinTheAccount: "Join the account",
  claimYourAccount: "Claim your account",
  joinLead: "You have been invited. Choose the password you will sign in with.",
  claimLead: "Choose how you will sign in.",
  signInAs: (email: ReactNode): ReactNode => <>You will sign in as {email}.</>,
  signInInstead: "Sign in instead",
  askForInvitation: "Ask an owner of the account for a new invitation.",
  askForClaimLink:
    "If you have already claimed this account, sign in. Otherwise, ask the operator of this installation for a new link.",

  // open-link.tsx
  linkIncomplete: "This link is incomplete. Copy the whole link and open it again.",
  linkGone: "This link has already been used or has expired.",
  checkingLink: "Checking the link…",

  // credential-fields.tsx
  email: "Email",
  password: "Password",
  passwordHint: (charactersMin: number): string =>
    `At least ${charactersMin} characters. A few words are easier to remember than symbols.`,
  code: "Code",
  codeHint: "Six digits from your authenticator app, or one of your recovery codes.",

  // reset-page.tsx
  passwordChanged: "Your password was changed. Sign in with it.",
  resetLinkSent:
    "If there is an account with this email, a link is on its way to it. Without a mail server, the operator of this installation can create the link.",
  chooseNewPassword: "Choose a new password",
  forgotPassword: "Forgot your password?",
  resetEndsSignIns: "This signs you out everywhere else.",
  resetLead: "Ask for a link with which you can choose a new one.",
  signIn: "Sign in",
  newPassword: "New password",
  setPassword: "Set password",
  sendLink: "Send link",
  requestNewLink: "Request a new link",

  // sign-in-again.tsx
  leave: "Leave",
  signInAgain: "Sign in again",
  signInEnded: "You have been signed out. Nothing on this page is lost: sign in to continue.",

  // sign-in-page.tsx
  enterYourCode: "Enter your code",
  codeLead: "Your account is protected by two-factor authentication.",
  startOver: "Start over",
  welcomeBack: "Welcome back.",
  newHere: (link: (label: string) => ReactNode): ReactNode => <>New here? {link("Create an account")}</>,
  createAccount: "Create an account",

  // sign-up-page.tsx
  signUpLead: "Includes $10.00 of credit and sample agents. No card required.",
  signInOffer: (link: (label: string) => ReactNode): ReactNode => <>Already have an account? {link("Sign in")}</>,
  accountName: "Account name (optional)",
};

export type SignInText = typeof english;

export const signInText = inLanguage("sign-in", english);
