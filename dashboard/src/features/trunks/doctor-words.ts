import type { DoctorFinding, DoctorStep } from "@parley/contract/doctor";
import type { Tone } from "../../ui/badge.tsx";

export const STEP_WORDS: Readonly<Record<DoctorStep, string>> = {
  settings: "Settings",
  names: "Names",
  connection: "Connection",
  options: "Sign of life",
  registration: "Registration",
  addresses: "Addresses",
  call: "Test call",
  sound: "Sound",
  keys: "Keys",
  hangup: "Hanging up",
};

export const VERDICT_WORDS: Readonly<Record<DoctorFinding["verdict"], { readonly word: string; readonly tone: Tone }>> =
  {
    ok: { word: "Fine", tone: "accent" },
    warning: { word: "Look at this", tone: "warning" },
    fault: { word: "At fault", tone: "danger" },
    skipped: { word: "Not looked at", tone: "neutral" },
  };
