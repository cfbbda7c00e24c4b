import { inLanguage } from "../../languages/texts.ts";

const english = {
  // device-page.tsx
  title: "Connect a command line",
  lead: "Confirm the code that your terminal shows.",
  code: "Code",
  codeHint: "Run “parley login” to get one.",
  continueLabel: "Continue",
  connected: "Connected. You can close this page and go back to your terminal.",
  refused: "Refused. The command line got no key.",
  otherCode: "Type another code",
  loading: "Looking for the code",
  warning:
    "It must be the code in your own terminal. If someone else sent you this link or code, refuse it: they would get access to your account.",
  asks: "Asks",
  from: "From",
  since: "Since",
  keyMode: "Mode of its key",
  testHint: "Dials the simulated network and costs nothing.",
  liveHint: "Dials for real and is charged.",
  test: "Test",
  live: "Live",
  connect: "Connect",
  refuse: "Refuse",
  keyRights: "The key gets all rights that you may grant; revoke it under Settings > Developer.",
};

export type DeviceSignInText = typeof english;

export const deviceSignInText = inLanguage("device-sign-in", english);
