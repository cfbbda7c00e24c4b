import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // security-page.tsx
  security: "Security",
  lead: "How you sign in, and where you are signed in.",
  sessions: "Sessions",
  endAllOthers: "End all others",
  sessionsLead:
    "A session ends after 12 hours without use, and after 7 days at the latest. End those you do not recognize, and change your password.",
  loadingSessions: "Loading your sessions",
  noSession: "No session",
  emptySessions: "You are not signed in anywhere.",
  sessionEnded: (device: string) => `The session on ${device} has ended.`,
  thisDevice: "This device",
  unknownAddress: "Unknown address",
  sessionTimes: (address: string, signedIn: ReactNode, lastSeen: ReactNode) => (
    <>
      {address} · signed in {signedIn} · last seen {lastSeen}
    </>
  ),
  endSession: (device: string) => `End the session on ${device}`,
  end: "End",
  sessionsEnded: (count: number) => (count === 1 ? "One session has ended." : `${count} sessions have ended.`),
  endOthersQuestion: "End all other sessions?",
  endOthersConsequence: "All your other browsers are signed out immediately. API keys are not affected.",
  keepThem: "Keep them",

  // two-factor.tsx
  twoFactorAuthentication: "Two-factor authentication",
  on: "On",
  off: "Off",
  loadingTwoFactor: "Loading two-factor authentication",
  operatorsNeedIt:
    "Operators of this installation must sign in with a second factor. The operator pages become available once it is set up.",
  whyTwoFactor:
    "With an authenticator app on your phone, a stolen password is not enough: signing in also asks for a code that changes every 30 seconds.",
  setUp: "Set up",
  turnedOn: (since: ReactNode | null, codesLeft: number) => (
    <>
      {since === null ? "Signing in" : <>Since {since}, signing in</>} requires a code from your authenticator app. If
      you lose the device, use a recovery code instead; {codesLeft === 1 ? "one is" : `${codesLeft} are`} left.
    </>
  ),
  fewCodesLeft: "You are running out of recovery codes. Create new ones and store them somewhere safe.",
  newRecoveryCodes: "New recovery codes",
  turnOff: "Turn off",
  newCodesLead: "Your current codes will stop working.",
  createNewCodes: "Create new codes",
  turnOffQuestion: "Turn off two-factor authentication?",
  turnOffConsequence: "Your password alone will then be enough to sign in, and your recovery codes stop working.",
  turnedOff: "Two-factor authentication is off.",
  yourPassword: "Your password",
  cancel: "Cancel",
  setUpTitle: "Set up two-factor authentication",
  setUpDone: "Two-factor authentication is on. All your other sessions have ended.",
  setUpLead: "You need an authenticator app on your phone.",
  continueLabel: "Continue",
  scanCode: "Scan this with the app, or enter the key below. It is shown only once.",
  key: "Key",
  codeFromTheApp: "Code from the app",
  codeHint: "The six digits the app shows now.",
  turnOn: "Turn on",
  qrCode: "QR code of the key below",
  keepRecoveryCodes:
    "Store these recovery codes somewhere safe, away from your phone. Each one signs you in once if you lose the device. They cannot be shown again.",
  recoveryCodes: "Recovery codes",
  codesKept: "I have saved them",
};

export type SecurityText = typeof english;

export const securityText = inLanguage("settings/security", english);
