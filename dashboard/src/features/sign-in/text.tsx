import type { ReactNode } from "react";
import { inLanguage } from "../../languages/texts.ts";

const english = {
  // claim-page.tsx
  joinTheAccount: "Join the account",
  claimYourAccount: "Claim your account",
  joinLead:
    "You were invited. Choose the password you will sign in with, together with the email the invitation went to.",
  claimLead: "Choose the email and password you will sign in with. If you were invited, leave the email empty.",
  signInInstead: "Sign in instead",
  linkIncomplete: "This link is incomplete. Copy all of it and open it again.",

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
  resetLead: "We will send a link to your email.",
  signIn: "Sign in",
  newPassword: "New password",
  setPassword: "Set password",
  sendLink: "Send link",

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
