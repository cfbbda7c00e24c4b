/** How English is spoken: with an American or a British accent. */
export type Accent = "american" | "british";

/** The symbols that Kokoro was taught for the phones of the CMU dictionary. A capital letter is a diphthong. */
const CONSONANTS: Readonly<Record<string, string>> = {
  B: "b",
  CH: "ʧ",
  D: "d",
  DH: "ð",
  F: "f",
  G: "ɡ",
  HH: "h",
  JH: "ʤ",
  K: "k",
  L: "l",
  M: "m",
  N: "n",
  NG: "ŋ",
  P: "p",
  R: "ɹ",
  S: "s",
  SH: "ʃ",
  T: "t",
  TH: "θ",
  V: "v",
  W: "w",
  Y: "j",
  Z: "z",
  ZH: "ʒ",
};

const AMERICAN_VOWELS: Readonly<Record<string, string>> = {
  AA: "ɑ",
  AE: "æ",
  AH: "ʌ",
  AO: "ɔ",
  AW: "W",
  AY: "I",
  EH: "ɛ",
  ER: "ɜɹ",
  EY: "A",
  IH: "ɪ",
  IY: "i",
  OW: "O",
  OY: "Y",
  UH: "ʊ",
  UW: "u",
};

const BRITISH_VOWELS: Readonly<Record<string, string>> = {
  ...AMERICAN_VOWELS,
  AA: "ɒ",
  AE: "a",
  AO: "ɔː",
  ER: "ɜː",
  OW: "Q",
};

/** What replaces an unstressed vowel. The others sound the same with and without stress. */
const WEAK: Readonly<Record<Accent, Readonly<Record<string, string>>>> = {
  american: { AH: "ə", ER: "əɹ" },
  british: { AH: "ə", ER: "ə" },
};

const STRESS_MARKS: Readonly<Record<string, string>> = { "1": "ˈ", "2": "ˌ" };

interface Phone {
  readonly name: string;
  /** "0", "1" or "2" for a vowel, otherwise nothing. */
  readonly stress: string;
}

/** Phones of one word, such as "HH AH0 L OW1", in Kokoro's symbols. */
export function arpabetToSymbols(arpabet: string, accent: Accent = "american"): string {
  const phones = arpabet.split(/\s+/).filter(Boolean).map(readPhone);
  return phones.map((phone, index) => symbolOf(phone, phones[index - 1], phones[index + 1], accent)).join("");
}

/** Whether the dictionary marks it as a vowel. */
export function isVowel(phone: string): boolean {
  return readPhone(phone).name in AMERICAN_VOWELS;
}

function readPhone(phone: string): Phone {
  return { name: phone.replace(/\d$/, ""), stress: /\d$/.exec(phone)?.[0] ?? "" };
}

function symbolOf(phone: Phone, before: Phone | undefined, after: Phone | undefined, accent: Accent): string {
  const { name, stress } = phone;
  if (!(name in AMERICAN_VOWELS)) return consonantOf(name, before, after, accent);
  const weak = stress === "0" ? WEAK[accent][name] : undefined;
  return (STRESS_MARKS[stress] ?? "") + (weak ?? fullVowelOf(name, stress, after, accent));
}

function fullVowelOf(name: string, stress: string, after: Phone | undefined, accent: Accent): string {
  if (accent === "american") return AMERICAN_VOWELS[name] ?? "";
  if (name === "AA" && after?.name === "R") return "ɑː";
  if ((name === "IY" || name === "UW") && stress !== "0") return `${AMERICAN_VOWELS[name]}ː`;
  return BRITISH_VOWELS[name] ?? "";
}

function consonantOf(name: string, before: Phone | undefined, after: Phone | undefined, accent: Accent): string {
  const isVowelBefore = before !== undefined && before.name in AMERICAN_VOWELS;
  const isVowelAfter = after !== undefined && after.name in AMERICAN_VOWELS;
  // Americans tap a "t" between vowels when the second one has no stress, as in "water".
  const mayTap = accent === "american" && (isVowelBefore || before?.name === "R");
  if (name === "T" && mayTap && isVowelAfter && after.stress === "0" && after.name !== "OW") return "T";
  // In Britain an "r" is heard before a vowel alone.
  if (name === "R" && accent === "british" && isVowelBefore && !isVowelAfter) return "";
  return CONSONANTS[name] ?? "";
}
