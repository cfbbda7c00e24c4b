import type { ReactNode } from "react";
import { inLanguage } from "../../languages/texts.ts";

const english = {
  // claim-page.tsx
  joinTheAccount: "Join the account",
  claimYourAccount: "Claim your account",
  joinLead:
    "You were invited. Choose the password you will sign in with, together with the e-mail the invitation went to.",
  claimLead: "Choose the e-mail and password you will sign in with. If you were invited, leave the e-mail empty.",
  signInInstead: "Sign in instead",
  linkIncomplete: "This link is incomplete. Copy all of it and open it again.",

  // credential-fields.tsx
  email: "E-mail",
  password: "Password",
  passwordHint: (charactersMin: number): string =>
    `At least ${charactersMin} characters. A few words are easier to remember than signs.`,
  code: "Code",
  codeHint: "Six digits from your authenticator app, or one of your recovery codes.",

  // reset-page.tsx
  passwordChanged: "Your password was changed. Sign in with it.",
  resetLinkSent:
    "If there is an account with this e-mail, a link is on its way to it. Without a mail server, the operator of this installation can create the link.",
  chooseNewPassword: "Choose a new password",
  forgotPassword: "Forgot the password?",
  resetEndsSignIns: "This ends every other sign-in of yours.",
  resetLead: "We send a link to your e-mail.",
  signIn: "Sign in",
  newPassword: "New password",
  setPassword: "Set the password",
  sendLink: "Send the link",

  // sign-in-again.tsx
  leave: "Leave",
  signInAgain: "Sign in again",
  signInEnded: "Your sign-in has ended. Nothing on this page is lost: sign in and go on where you were.",

  // sign-in-page.tsx
  enterYourCode: "Enter your code",
  codeLead: "Your account is protected by two-factor authentication.",
  startOver: "Start over",
  welcomeBack: "Welcome back.",
  newHere: (link: (label: string) => ReactNode): ReactNode => <>New here? {link("Create an account")}</>,
  createAccount: "Create an account",

  // sign-up-page.tsx
  signUpLead: "It comes with $10.00 of credit and sample agents. No card is asked for.",
  signInOffer: (link: (label: string) => ReactNode): ReactNode => <>Have one already? {link("Sign in")}</>,
  accountName: "Name of the account (optional)",
};

export type SignInText = typeof english;

export const signInText = inLanguage("sign-in", english);
