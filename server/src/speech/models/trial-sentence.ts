import { speaks } from "../engines/engine-catalog.ts";

/** A request that people make on the telephone, in the languages in which engines can be tried. The first is preferred. */
const SENTENCES: readonly (readonly [language: string, sentence: string])[] = [
  ["en-US", "Please call me back tomorrow afternoon."],
  ["de-DE", "Bitte rufen Sie mich morgen Nachmittag zurück."],
  ["es-ES", "Por favor, llámeme mañana por la tarde."],
  ["fr-FR", "Rappelez-moi demain après-midi, s'il vous plaît."],
  ["it-IT", "Per favore, mi richiami domani pomeriggio."],
  ["pt-BR", "Por favor, me ligue amanhã à tarde."],
  ["nl-NL", "Bel mij morgenmiddag terug, alstublieft."],
  ["ja-JP", "明日の午後に折り返しお電話ください。"],
  ["zh-CN", "请明天下午给我回电话。"],
  ["hi-IN", "कृपया मुझे कल दोपहर में वापस फ़ोन करें।"],
  ["ru-RU", "Пожалуйста, перезвоните мне завтра днём."],
  ["ar-SA", "من فضلك اتصل بي غدًا بعد الظهر."],
];

/** English, if an engine with these languages knows it, and otherwise one that it knows. */
export function trialLanguageOf(languages: readonly string[] | null): string {
  const [language] = SENTENCES.find(([one]) => speaks(languages, one)) ?? ["en-US"];
  return language;
}

export function trialSentenceIn(language: string): string {
  const [, english = ""] = SENTENCES[0] ?? [];
  return SENTENCES.find(([one]) => speaks([codeOf(one)], language))?.[1] ?? english;
}

function codeOf(language: string): string {
  return language.split("-")[0] ?? "";
}
