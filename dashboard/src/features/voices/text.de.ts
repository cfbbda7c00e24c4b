import type { VoicesText } from "./text.ts";

export const german: VoicesText = {
  // listen-button.tsx
  listen: "Anhören",
  stop: "Anhalten",
  stopThis: (title) => `Anhalten: ${title}`,

  // pronunciation-list.tsx
  pronunciation: (number) => `Aussprache ${number}`,
  written: "Schreibweise",
  writtenExample: "Siobhan",
  said: "Aussprache",
  saidExample: "schi-WON oder /ʃɪˈvɔn/",
  listenToEntry: (written) => (written ? `„${written}“ anhören` : "Diesen Eintrag anhören"),
  removeEntry: (written) => (written ? `„${written}“ entfernen` : "Diesen Eintrag entfernen"),
  addWord: "Wort hinzufügen",
  writtenIsEmpty: "Geben Sie ein Wort oder eine Wendung ein.",
  writtenIsListed: "Dieses Wort steht schon weiter oben.",
  writtenIsWrong: "Hier muss ein Wort oder eine Wendung stehen.",
  saidIsEmpty: "Geben Sie die Aussprache ein.",
  saidIsWrong: "Hier muss eine Umschrift wie schi-WON oder IPA zwischen Schrägstrichen wie /ʃɪˈvɔn/ stehen.",

  // voice-choice.tsx
  accents: {
    "en-GB": "britisch",
    "en-US": "amerikanisch",
    "es-ES": "spanisch",
    "fr-FR": "französisch",
    "it-IT": "italienisch",
    "pt-BR": "brasilianisches Portugiesisch",
  },
  sexes: { woman: "weiblich", man: "männlich" },
  isDefault: "Standard",
  notSetUp: "nicht eingerichtet",
  natural: "Natürlich",
  light: "Leichtgewichtig, klingt nach Roboter",
  voice: "Stimme",
  listenToVoice: (name) => `${name} anhören`,
  allVoices: "Alle Stimmen",
  hearThisVoice: "Diese Stimme anhören",
  oneVoicePerCall: "Ein Anruf hat von Anfang bis Ende dieselbe Stimme.",
  vendorVoice: "Stimme eines Anbieters (optional)",
  vendorVoiceIsIncomplete: (vendor) =>
    `Geben Sie den Anbieter, einen Schrägstrich und die ID der Stimme ein, etwa ${vendor}/VOICE_ID.`,
  vendorVoiceIsUnused: (vendor) =>
    `Die Engine dieses Agenten spricht nicht mit ${vendor} und verwendet deshalb ihre eigene Stimme.`,
  vendorVoiceHint:
    "Der Anbieter und die ID einer Stimme Ihres dortigen Kontos. Engines ohne diesen Anbieter verwenden ihre eigene Stimme.",
};
