import type { ProviderUnit } from "@parley/contract/engines";
import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // provider-rates.tsx
  rates: "What providers charge you",
  ratesLead: "Each call shows what its parts cost you by these prices. Your accounts pay the prices under Rates.",
  loadingRates: "Loading the prices of providers",
  provider: "Provider",
  unit: "Unit",
  priceInUsd: "USD",
  units: {
    recognition_minute: "minute of audio",
    synthesis_1000_characters: "1,000 characters spoken",
    input_1m_tokens: "1 million input tokens",
    output_1m_tokens: "1 million output tokens",
  } satisfies Record<ProviderUnit, string>,
  noRate: "not set",
  changeRate: (provider: string, unit: string) => `Change the price of ${provider}: ${unit}`,
  rateSaved: (provider: string) => `The price of ${provider} was saved.`,
  rateTitle: (provider: string) => `What ${provider} charges`,
  rateLead: "Applies from the next reply on. Calls that have ended keep the cost they have.",
  usdPer: (unit: string) => `USD per ${unit}`,
  emptyRateHint: "Leave empty if you do not know. Calls then show no cost for this provider.",
  saveRate: "Save the price",

  // providers-page.tsx
  wasDisconnected: (provider: string) => `${provider} was disconnected.`,
  providers: "Providers",
  lead: "Your accounts with vendors of language models and speech. A key makes a vendor’s models and voices available to engines.",
  connected: "Connected",
  connectedProviders: "Connected providers",
  moreProviders: "More providers",
  availableProviders: "Available providers",
  noneRequired: "None is required: the local engine recognizes and speaks English on this machine.",
  loadingProviders: "Loading providers",
  seeEngines: (link: (label: string) => ReactNode) => (
    <>{link("Operator > Engines")} shows what the keys make available, and whether it works.</>
  ),
  disconnectQuestion: (provider: string) => `Disconnect ${provider}?`,
  disconnectConsequence:
    "Its key is deleted and cannot be recovered. Engines switch to their other parts with the next reply, or become unavailable.",
  keepIt: "Keep it",
  disconnect: "Disconnect",
  disconnectProvider: (provider: string) => `Disconnect ${provider}`,
  noLanguageModel:
    "No language model is connected. Agents whose flow needs one can’t be used until you connect one; all others work.",
  modelOrder: "Order of language models",
  modelOrderLead:
    "Calls use the default. If it fails or does not respond in time, the next one replies instead. Engines with a language model in their name use that one first.",
  defaultLabel: "Default",
  fallback: "Fallback",
  setByTheEnvironment: "Set by the environment",
  configuredWith: (settings: string) => `Configured with ${settings} when the service starts.`,
  change: "Change",
  changeProvider: (provider: string) => `Change ${provider}`,
  connect: "Connect",
  connectProvider: (provider: string) => `Connect ${provider}`,
  dialogLead: (parts: string) =>
    `For ${parts.toLowerCase()}. Takes effect immediately, and in calls in progress with the next reply.`,
  isConnected: (provider: string) => `${provider} is connected.`,
  wasSaved: (provider: string) => `${provider} was saved.`,
  baseUrl: "Base URL of the server",
  baseUrlHint: (path: string) => `Without ${path} at the end.`,
  apiKey: "API key",
  apiKeyOptional: "API key (optional)",
  storedTypeToReplace: "Stored; type to replace it",
  apiKeyHint: "Stored encrypted. Only its last four characters are ever shown.",
  defaultModelHint: (model: string) => `Leave empty for ${model}, which starts replying quickly.`,
  modelHint: "The name the server uses.",
  languageModel: "Language model",
  use: "Use",
  useOfModelHint: "The default replies in every call; fallbacks take over when it fails or does not respond in time.",
  useHint: "Engines that name this vendor use it.",
  on: "On",
  offKeepTheKey: "Off (keep the key)",
  cancel: "Cancel",
  save: "Save",
  ownServers: {
    "openai-compatible": "Your own server",
    "own-stt": "Your own recognition server",
    "own-tts": "Your own voice server",
  },
  languageModelName: (isOptional: boolean) => `Language model name${isOptional ? " (optional)" : ""}`,
  model: (isOptional: boolean) => `Model${isOptional ? " (optional)" : ""}`,
  cannotBeUsed: "Cannot be used",
  off: "Off",
  defaultLanguageModel: "Default language model",
  fallbackLanguageModel: "Fallback language model",
  notUsed: "Not used",
  key: (lastFour: string) => `key …${lastFour}`,
  keyStored: "key stored",
};

export type OperatorProvidersText = typeof english;

export const operatorProvidersText = inLanguage("operator/providers", english);
