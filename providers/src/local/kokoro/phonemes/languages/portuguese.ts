import {
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
const VOWELS = /[aeiouɐæɛɔʊAIW]/g;
/** The end of a diphthong, which is no syllable. It is said like the "ʊ" of unstressed endings. */
const GLIDE = "Ʊ";
const V = "aeiouáéíóúâêôãõàü";
/** Ends a syllable: a consonant follows, or nothing. */
const CODA = `(?![${V}h])`;

/** Portuguese of Brazil. "´" is a written accent, which becomes the stress; "%" a vowel that never has it. */
const RULES = letterRules([
  ["ch", "ʃ"],
  ["lh", "ʎ"],
  ["nh", "ɲ"],
  ["rr|^r|(?<=[nls])r", "x"],
  ["(?<=[bcdfgptv])r", "r"],
  ["r", "ɾ"],
  ["qu(?=[eiéíê])", "k"],
  ["qu", "kw"],
  ["gu(?=[eiéíê])", "ɡ"],
  ["gu(?=[aoáóâã])", "ɡw"],
  ["g(?=[eiéíê])|j", "ʒ"],
  ["g", "ɡ"],
  ["sc(?=[eiéíê])|c(?=[eiéíê])|ç|ss|xc(?=[eiéí])", "s"],
  ["[ckq]", "k"],
  ["t(?=[iíe](?<=[ií]|e(?=s?$)))", "ʧ"],
  ["d(?=[iíe](?<=[ií]|e(?=s?$)))", "ʤ"],
  [`(?<=[${V}])s(?=[${V}])|s(?=[bdgmnlrvz])`, "z"],
  ["s|z$", "s"],
  [`(?<=^[eéi])x(?=[${V}])`, "z"],
  [`x(?=[^${V}]|im)`, "s"],
  ["(?<=^t[aá]|fi|se|ne|ple|^ne|^sa)x(?=[aio])", "ks"],
  ["x", "ʃ"],
  // Nasal vowels and diphthongs.
  ["ão", "´ɐ\u0303Ʊ\u0303"],
  ["ãe|ãi", "´ɐ\u0303j"],
  ["õe", "´o\u0303j"],
  ["ã", "´ɐ\u0303"],
  ["õ", "´o\u0303"],
  ["am$", "%ɐ\u0303Ʊ\u0303"],
  ["[éê]m(?=$)|[éê]ns$", "´Aŋ"],
  ["em$|en(?=s$)", "Aŋ"],
  [`[âá][mn](?=[pb])${CODA}`, "´ɐ\u0303m"],
  [`[âá][mn]${CODA}`, "´ɐ\u0303ŋ"],
  [`[êé][mn]${CODA}`, "´Aŋ"],
  [`a[mn](?=[pb])`, "ɐ\u0303m"],
  [`a[mn]${CODA}`, "ɐ\u0303ŋ"],
  [`e[mn](?=[pb])`, "Am"],
  [`e[mn]${CODA}`, "Aŋ"],
  [`i[mn](?=[pb])`, "im"],
  [`i[mn]${CODA}`, "iŋ"],
  [`[íî][mn]${CODA}`, "´iŋ"],
  [`o[mn](?=[pb])`, "om"],
  [`[ôó][mn]${CODA}`, "´oŋ"],
  [`o[mn]${CODA}`, "oŋ"],
  [`u[mn](?=[pb])`, "um"],
  [`[ú][mn]${CODA}`, "´uŋ"],
  [`u[mn]${CODA}`, "uŋ"],
  // "l" at the end of a syllable, and diphthongs.
  [`á(?:l${CODA}|u)`, "´W"],
  [`a(?:l${CODA}|u(?![${V}]))`, "W"],
  [`[é](?:l${CODA}|u)`, "´ɛƱ"],
  [`[ê](?:l${CODA}|u)`, "´eƱ"],
  [`e(?:l${CODA}|u(?![${V}]))`, "eƱ"],
  [`í(?:l${CODA}|u)`, "´iƱ"],
  [`i(?:l${CODA}|u(?![${V}]))`, "iƱ"],
  [`ól${CODA}`, "´ɔƱ"],
  [`ol${CODA}`, "oƱ"],
  ["ôu|óu", "´ow"],
  ["ou", "ow"],
  [`[uú]l${CODA}`, "uƱ"],
  [`á[iy](?![${V}])`, "´I"],
  [`a[iy](?![${V}]|nh|m$|[rlz]$)`, "I"],
  [`[éê]i(?![${V}])`, "´A"],
  [`e[iy](?!nh|m$|[rlz]$)`, "A"],
  [`[óô]i`, "´oɪ"],
  [`o[iy](?![${V}]|nh|m$|[rlz]$)`, "oɪ"],
  [`u[iy](?![${V}]|nh|m$|[rlz]$)`, "uɪ"],
  // Unstressed endings.
  [`(?<=[áéíóúâêô].*)i(?=[aoe]s?$)`, "j"],
  [`(?<=[áéíóúâêô].*)u(?=[aoe]s?$)`, "w"],
  ["a(?=s?$)(?<=..)", "æ"],
  ["o(?=s?$)(?<=..)", "ʊ"],
  ["e(?=s?$)(?<=..)", "i"],
  ["á|à", "´a"],
  ["â", "´ɐ"],
  ["é", "´ɛ"],
  ["ê", "´e"],
  ["í", "´i"],
  ["ó", "´ɔ"],
  ["ô", "´o"],
  ["ú", "´u"],
  ["ü", "w"],
  ["h|'", ""],
  ["y", "i"],
  ["w", "w"],
  ["[aeioubdflmnptvz]", SAME],
]);

/** Words of which the spelling does not say how they are said. */
const EXCEPTIONS = wordMap(
  `joão ʒuˈɐ\u0303ʊ\u0303, muito mˈuɪŋtʊ, muita mˈuɪŋtæ, trouxe tɾˈowsi, táxi tˈaksi, internet ˌiŋteɾnˈɛʧi, email imˈAʊ, site sˈIʧi, whatsapp wɔtsˈapi, mulher muʎˈɛɾ, hora ˈɔɾæ, horas ˈɔɾæs, agora aɡˈɔɾæ, senhora seɲˈɔɾæ, nove nˈɔvi,
  sete sˈɛʧi, dez dˈɛs, é ˈɛ, ela ˈɛlæ, terça tˈeɾsæ, certo sˈɛɾtʊ, resposta xespˈɔstæ, número nˈumeɾʊ, pode pˈɔʤi, podem pˈɔdAŋ, logo lˈɔɡʊ, posso pˈɔsʊ, nosso nˈɔsʊ, nossa nˈɔsæ, nova nˈɔvæ, novas nˈɔvæs, quero kˈɛɾʊ, é ˈɛ, meia mˈAæ`,
);

export const PORTUGUESE: PronunciationRules = {
  pronounce(word) {
    const parts = word.split("-").filter(Boolean);
    if (parts.length > 1)
      return parts
        .map((part) => PORTUGUESE.pronounce(part))
        .join("")
        .replace(/ˈ(?=.*ˈ)/g, "ˌ");
    const known = EXCEPTIONS.get(word);
    if (known !== undefined) return known;
    const symbols = readLetters(word, RULES);
    const isLast = /(?:[iu]s?|[lrzxn]|[iou]m|uns|ins|ons)$/.test(word) && !/[^aeiou]ens$/.test(word);
    const plain = symbols.replaceAll("%", "");
    const stressed = plain.includes("´") ? placed(plain) : withStress(plain, VOWELS, isLast ? -1 : -2);
    return withSecondStress(stressed, VOWELS)
      .replace(/ˈa(?=[mnɲ])/, "ˈɐ\u0303")
      .replaceAll(GLIDE, "ʊ");
  },
  weakWords: wordSet(
    "o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela para pra com sem e ou mas que se me te lhe nos ao aos à às seu sua meu minha",
  ),
  letterNames: {
    b: "bê",
    c: "cê",
    d: "dê",
    f: "éfe",
    g: "gê",
    h: "agá",
    j: "jóta",
    k: "cá",
    l: "éle",
    m: "ême",
    n: "êne",
    p: "pê",
    q: "quê",
    r: "érre",
    s: "ésse",
    t: "tê",
    v: "vê",
    w: "dáblio",
    x: "xis",
    y: "ípsilon",
    z: "zê",
  },
  join: (words) => words.map(({ symbols }) => symbols),
};

/** The acute and the circumflex have the stress, a tilde only without them. */
function placed(symbols: string): string {
  const others = symbols.replace(/´(?!.\u0303)/, "ˈ");
  if (others.includes("ˈ")) return others.replaceAll("´", "");
  const last = symbols.lastIndexOf("´");
  return `${symbols.slice(0, last)}ˈ${symbols.slice(last + 1)}`.replaceAll("´", "");
}
