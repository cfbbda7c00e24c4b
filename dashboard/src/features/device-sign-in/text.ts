import { inLanguage } from "../../languages/texts.ts";

const english = {
  // device-page.tsx
  title: "Connect a command line",
  lead: "Confirm the code that your terminal shows.",
  code: "Code",
  codeHint: "Run “parley login” to get one.",
  continueLabel: "Continue",
  connected: "Connected. You can close this page and go back to your terminal.",
  refused: "Refused. The command line did not get a key.",
  otherCode: "Enter another code",
  loading: "Checking the code",
  warning:
    "It must be the code in your own terminal. If someone else sent you this link or code, refuse it: they would get access to your account.",
  asks: "Requested by",
  from: "From",
  since: "Since",
  keyMode: "Key mode",
  testHint: "Dials the simulated network and costs nothing.",
  liveHint: "Dials for real and is charged.",
  test: "Test",
  live: "Live",
  connect: "Connect",
  refuse: "Refuse",
  keyRights: "The key gets every scope you can grant. You can revoke it under Settings > Developer.",
};

export type DeviceSignInText = typeof english;

export const deviceSignInText = inLanguage("device-sign-in", english);
