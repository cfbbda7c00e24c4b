import { inLanguage } from "../../languages/texts.ts";

const english = {
  // listen-button.tsx
  listen: "Listen",
  stop: "Stop",
  stopThis: (title: string) => `Stop: ${title}`,

  // pronunciation-list.tsx
  pronunciation: (number: number) => `Pronunciation ${number}`,
  written: "Written",
  writtenExample: "Siobhan",
  said: "Said",
  saidExample: "shi-VAWN or /ʃɪˈvɔn/",
  listenToEntry: (written: string) => `Listen to ${written || "this entry"}`,
  removeEntry: (written: string) => `Remove ${written || "this entry"}`,
  addWord: "Add a word",
  writtenIsEmpty: "Enter a word or phrase.",
  writtenIsListed: "This word is already listed above.",
  writtenIsWrong: "Must be a word or phrase.",
  saidIsEmpty: "Enter how it is pronounced.",
  saidIsWrong: "Must be a respelling such as shi-VAWN, or IPA between slashes such as /ʃɪˈvɔn/.",

  // voice-choice.tsx
  accents: {
    "en-GB": "British",
    "en-US": "American",
    "es-ES": "Spanish",
    "fr-FR": "French",
    "it-IT": "Italian",
    "pt-BR": "Brazilian Portuguese",
  },
  sexes: { woman: "woman", man: "man" },
  isDefault: "default",
  notSetUp: "not set up",
  natural: "Natural",
  light: "Light, sounds robotic",
  voice: "Voice",
  listenToVoice: (name: string) => `Listen to ${name}`,
  allVoices: "All voices",
  hearThisVoice: "Hear this voice",
  oneVoicePerCall: "A call keeps the same voice from start to end.",
  vendorVoice: "Vendor voice (optional)",
  vendorVoiceIsIncomplete: (vendor: string) =>
    `Enter the vendor, a slash and the voice ID, such as ${vendor}/VOICE_ID.`,
  vendorVoiceIsUnused: (vendor: string) =>
    `This agent’s engine does not use ${vendor}, so it speaks with its own voice.`,
  vendorVoiceHint:
    "The vendor and the ID of a voice in your account there. Engines without this vendor use their own voice.",
};

export type VoicesText = typeof english;

export const voicesText = inLanguage("voices", english);
