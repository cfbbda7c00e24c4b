/** English letters for each symbol, as text-to-speech that knows no phonemes reads them. Longer symbols come first. */
const SPELLINGS: readonly (readonly [ipa: string, letters: string])[] = [
  ["tʃ", "ch"],
  ["dʒ", "j"],
  ["aɪ", "igh"],
  ["eɪ", "ay"],
  ["aʊ", "ow"],
  ["ɔɪ", "oy"],
  ["ɔʏ", "oy"],
  ["oʊ", "oh"],
  ["əʊ", "oh"],
  ["ɜɹ", "er"],
  ["ɜr", "er"],
  ["əɹ", "er"],
  ["ər", "er"],
  ["ɑɹ", "ar"],
  ["ɑr", "ar"],
  ["ɔɹ", "or"],
  ["ɔr", "or"],
  ["a", "ah"],
  ["ɑ", "ah"],
  ["æ", "a"],
  ["ɐ", "u"],
  ["ɒ", "o"],
  ["ɔ", "aw"],
  ["e", "ay"],
  ["ɛ", "e"],
  ["ə", "uh"],
  ["ɚ", "er"],
  ["ɜ", "er"],
  ["ɝ", "er"],
  ["ø", "er"],
  ["œ", "er"],
  ["i", "ee"],
  ["ɪ", "i"],
  ["ɨ", "i"],
  ["ᵻ", "i"],
  ["o", "oh"],
  ["ɤ", "u"],
  ["u", "oo"],
  ["ʊ", "oo"],
  ["ʉ", "oo"],
  ["ɯ", "oo"],
  ["y", "oo"],
  ["ʏ", "oo"],
  ["ʌ", "u"],
  ["b", "b"],
  ["β", "b"],
  ["c", "k"],
  ["ç", "h"],
  ["d", "d"],
  ["ɖ", "d"],
  ["ð", "th"],
  ["f", "f"],
  ["ɸ", "f"],
  ["g", "g"],
  ["ɡ", "g"],
  ["ɣ", "g"],
  ["ɟ", "j"],
  ["h", "h"],
  ["ɦ", "h"],
  ["j", "y"],
  ["ʝ", "y"],
  ["k", "k"],
  ["l", "l"],
  ["ɫ", "l"],
  ["ʎ", "ly"],
  ["m", "m"],
  ["ɱ", "m"],
  ["n", "n"],
  ["ɳ", "n"],
  ["ɲ", "ny"],
  ["ŋ", "ng"],
  ["ɴ", "ng"],
  ["p", "p"],
  ["q", "k"],
  ["r", "r"],
  ["ɹ", "r"],
  ["ɻ", "r"],
  ["ɽ", "r"],
  ["ɾ", "r"],
  ["ʀ", "r"],
  ["ʁ", "r"],
  ["s", "s"],
  ["ʂ", "sh"],
  ["ʃ", "sh"],
  ["ɕ", "sh"],
  ["t", "t"],
  ["ʈ", "t"],
  ["θ", "th"],
  ["v", "v"],
  ["ʋ", "v"],
  ["w", "w"],
  ["ɰ", "w"],
  ["ɥ", "w"],
  ["x", "k"],
  ["χ", "k"],
  ["z", "z"],
  ["ʒ", "zh"],
  ["ʐ", "zh"],
  ["ʑ", "zh"],
  ["ʣ", "dz"],
  ["ʤ", "j"],
  ["ʥ", "j"],
  ["ʦ", "ts"],
  ["ʧ", "ch"],
  ["ʨ", "ch"],
];

/** Stress, length, syllables, ties, aspiration and the like, which letters cannot show. English has no letter for a glottal stop. */
const UNWRITTEN = /[-ˈˌːˑ.'ʰʲʔ]|[\u0329\u032f\u0361]/g;
/** English speakers hear an "n" after a nasalized vowel. */
const NASAL = /\u0303/g;
const VOWEL = /(?:[aeiouyw]|[aou]h|igh)$/;

/**
 * IPA, with or without its slashes, as a respelling in lowercase letters: "/ʃɪˈvɔn/" is "shivawn". It is an approximation for voices that
 * take no phonemes. Null if it has a symbol without a spelling, or no vowel.
 */
export function respellIpa(ipa: string): string | null {
  const words = ipa
    .replace(/^\/|\/$/g, "")
    .normalize("NFD")
    .replace(NASAL, "n")
    .replace(UNWRITTEN, "")
    .normalize("NFC")
    .trim()
    .split(/\s+/);
  const respelled = words.map(respellWord);
  return respelled.includes(null) ? null : respelled.join(" ");
}

function respellWord(word: string): string | null {
  let letters = "";
  for (let at = 0; at < word.length; ) {
    const [ipa, spelling] = SPELLINGS.find(([symbols]) => word.startsWith(symbols, at)) ?? [null, ""];
    if (ipa === null) return null;
    at += ipa.length;
    letters += spellingAt(spelling, letters, word.slice(at));
  }
  return /[aeiouy]/.test(letters) ? letters : null;
}

/** Some letters are read differently by their neighbours: a single "s" as "z", and a "g" as "j". */
function spellingAt(spelling: string, before: string, rest: string): string {
  if (spelling === "s" && VOWEL.test(before) && (rest === "" || isVowelNext(rest))) return "ss";
  if (spelling === "g" && /^[ieɪɛæ]/.test(rest)) return "gh";
  // "igh" begins no word.
  if (spelling === "igh" && before === "") return "eye";
  return spelling;
}

function isVowelNext(rest: string): boolean {
  return /^[aeiouyæøœɐɑɒɔəɚɛɜɝɤɨɪɯʉʊʌʏᵻ]/.test(rest);
}

/** Whether a respelling was written with symbols of IPA, though without slashes. */
export function hasIpaSymbols(text: string): boolean {
  return /[ɐɑɒɔɕɖəɚɛɜɝɟɡɣɤɥɦɨɪɫɯɰɱɲɳɴɸɹɻɽɾʀʁʂʃʈʉʊʋʌʎʏʐʑʒʔʝʣʤʥʦʧʨβθχᵻŋˈˌː]/u.test(text);
}
