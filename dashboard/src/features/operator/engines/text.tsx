import type { EngineFinding } from "@parley/contract/doctor";
import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";
import { formatTenths } from "../../../ui/figures.ts";

const english = {
  // engines-page.tsx
  firstResult: {
    recognition: (ms: number) => `text after ${ms} ms`,
    model: (ms: number) => `first word after ${ms} ms`,
    synthesis: (ms: number) => `first audio after ${ms} ms`,
    speech: (ms: number) => `first result after ${ms} ms`,
  } satisfies Record<EngineFinding["part"], (ms: number) => string>,
  engines: "Engines",
  lead: "An engine combines speech recognition, a language model and a voice. Agents and calls choose one by name.",
  available: "Available",
  tryCost:
    "Trying an engine sends one short request to each of its vendors, including fallbacks. Vendors charge for it as for a few seconds of a call.",
  loadingEngines: "Loading engines",
  availableEngines: "Available engines",
  notSetUp: "Not set up",
  notSetUpLead: (link: (label: string) => ReactNode) => (
    <>
      Examples of what you can combine. An engine becomes available when its keys are set under{" "}
      {link("Operator > Providers")}.
    </>
  ),
  enginesNotSetUp: "Engines that are not set up",
  namesExplained: (code: (text: string) => ReactNode) => (
    <>
      The name of a preset lists recognition, language model and voice, such as {code("deepgram-openai-elevenlabs")}
      {"; any combination works by its name. Engines with your own names, models and fallbacks are set in "}
      {code("PARLEY_ENGINES")}.
    </>
  ),
  defaultLabel: "Default",
  tryLabel: "Try",
  tryEngine: (engine: string) => `Try ${engine}`,
  trying: "Trying each part. This takes a few seconds, longer if a vendor does not respond.",
  languages: "Languages",
  partNotSetUp: (part: string) => `${part} (not set up)`,
  chain: (parts: readonly string[]) => parts.join(", then "),
  partOfTheEngine: "Part of the engine",
  noModel: "None: agents whose flow needs a language model are refused",
  reportSummary: (faults: number) => {
    if (faults === 0) return "Every part works.";
    return faults === 1 ? "One part failed." : `${faults} parts failed.`;
  },
  replyDelay: (totalMs: number) =>
    `Together they take ${formatTenths(totalMs / 1000)} s from the end of a sentence to the first sound of the reply.`,
  vendorsDelay: (totalMs: number) =>
    `From the end of a sentence to the first sound of the reply, vendors take ${formatTenths(totalMs / 1000)} s. What runs on this machine is added to it.`,
  resultOf: (engine: string) => `Result of ${engine}`,
  works: "Works",
  checkThis: "Check this",
  failed: "Failed",
  onThisMachine: "On this machine",
};

export type OperatorEnginesText = typeof english;

export const operatorEnginesText = inLanguage("operator/engines", english);
