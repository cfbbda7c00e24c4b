import {
  type JoinedWord,
  letterRules,
  type PronunciationRules,
  readLetters,
  SAME,
  withSecondStress,
  withStress,
  wordMap,
  wordSet,
} from "./letter-rules.ts";

/** A vowel, or a diphthong by its first symbol. Kokoro writes "ei", "ai" and "au" as A, I and W. */
const VOWELS = /[aeiouAIW]/g;

/** Spanish of Spain. "´" is the written accent, which becomes the stress. */
const RULES = letterRules([
  ["ch", "ʧ"],
  ["ll", "ʎ"],
  ["rr|(?<=^|[nls])r", "r"],
  ["r", "ɾ"],
  ["qu(?=[eiéí])", "k"],
  ["gu(?=[eiéí])", "ɡ"],
  ["gü", "ɡw"],
  ["[gj](?=[eiéí])|j", "x"],
  ["g", "ɡ"],
  ["c(?=[eiéí])|[zç]", "θ"],
  ["[cqk]", "k"],
  ["ñ", "ɲ"],
  ["[vb]", "b"],
  ["^x", "s"],
  ["x", "ks"],
  ["^p(?=s)|h", ""],
  ["^sh|sh$", "ʃ"],
  // A weak vowel after a strong one, unless another vowel follows it.
  ["á[iy](?![aeiouáéíóú])", "´I"],
  ["a[iy](?![aeiouáéíóú])", "I"],
  ["é[iy](?![aeiouáéíóú])", "´A"],
  ["e[iy](?![aeiouáéíóú])", "A"],
  ["ó[iy](?![aeiouáéíóú])", "´oɪ"],
  ["o[iy](?![aeiouáéíóú])", "oɪ"],
  ["áu(?![aeiouáéíóú])", "´W"],
  ["au(?![aeiouáéíóú])", "W"],
  ["éu(?![aeiouáéíóú])", "´eʊ"],
  ["eu(?![aeiouáéíóú])", "eʊ"],
  // And before one. "Construir" keeps its two vowels.
  ["u(?=ir$)(?<!h.)", "u"],
  ["i(?=[aeouáéóú])", "j"],
  ["[uw](?=[aeioáéíóy])", "w"],
  ["y(?=[aeiouáéíóú])", "ʝ"],
  ["[iy]", "i"],
  ["á", "´a"],
  ["é", "´e"],
  ["í", "´i"],
  ["ó", "´o"],
  ["[úü]", "´u"],
  ["w", "w"],
  ["[aeoudflmnpst]", SAME],
]);

/** Words of which the spelling does not say how they are said. */
const EXCEPTIONS = wordMap(
  "méxico mˈexiko, mexicano mˌexikˈano, mexicana mˌexikˈana, texas tˈexas, oaxaca oaxˈaka, guion ɡiˈon, wifi wˈifi, web wˈeb, email imˈAl, online onlˈIn, whatsapp wˈatsap, marketing mˈaɾketin",
);

export const SPANISH: PronunciationRules = {
  pronounce(word) {
    const known = EXCEPTIONS.get(word);
    if (known !== undefined) return known;
    const adverb = /^(.{3,})mente$/.exec(word);
    if (adverb !== null) return `${SPANISH.pronounce(adverb[1] ?? "")}mˈente`;
    const symbols = readLetters(word, RULES)
      .replace(/n(?=[bpf])/g, "m")
      .replace(/n(?=[ɡx])/g, "ŋ");
    const stressed = symbols.includes("´")
      ? symbols.replace("´", "ˈ").replaceAll("´", "")
      : withStress(symbols, VOWELS, /[aeiouns]$/.test(word) ? -2 : -1);
    // Kokoro learned a stressed "e" before a nasal and another consonant as the open one.
    return withSecondStress(stressed, VOWELS).replace(/ˈe(?=n[^aeiouAIWjw])/g, "ˈɛ");
  },
  weakWords: wordSet(
    "el la los las un de del a al en con por que se le les lo me te nos os mi tu su mis tus sus nuestro nuestra y e o u ni si para pero sin sobre entre desde hasta porque cuando como don doña",
  ),
  letterNames: {
    b: "be",
    c: "ce",
    d: "de",
    f: "efe",
    g: "ge",
    h: "hache",
    j: "jota",
    k: "ka",
    l: "ele",
    m: "eme",
    n: "ene",
    ñ: "eñe",
    p: "pe",
    q: "cu",
    r: "erre",
    s: "ese",
    t: "te",
    v: "uve",
    w: "uve doble",
    x: "equis",
    y: "i griega",
    z: "zeta",
  },
  join: (words) => words.map(({ symbols }, index) => softened(symbols, words[index - 1])),
};

/** Except at the beginning of a phrase, after a nasal and "d" after "l", the voiced stops are said softly. */
function softened(symbols: string, before: JoinedWord | undefined): string {
  const last = before?.symbols.at(-1) ?? "";
  const whole = last + symbols;
  const soft = whole
    .replace(/(?<=[^mnŋɲˈˌ][ˈˌ]?)b/g, "β")
    .replace(/(?<=[^mnŋɲlˈˌ][ˈˌ]?)d/g, "ð")
    .replace(/(?<=[^mnŋɲˈˌ][ˈˌ]?)ɡ/g, "ɣ");
  return soft.slice(last.length);
}
