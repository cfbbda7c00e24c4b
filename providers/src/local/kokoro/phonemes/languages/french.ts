import {
  type JoinedWord,
  letterRules,
  type PronunciationRules,
  readLetters,
  SAME,
  withStress,
  wordMap,
  wordSet,
} from "./letter-rules.ts";

const VOWELS = /[aeiouyøœɛɔɑ]/g;

/** Vowel letters, for patterns. */
const V = "aàâäeéèêëiîïoôöuùûüyœæ";
/** Not before a vowel, a nasal or "h": then a vowel with "n" or "m" is a nasal one. */
const NASAL = `(?![${V}hnm])`;
/** Stops and "f", "v" with "l" or "r", which begin a syllable together. */
const CLUSTER = "[bcdfgptv][lr]";

const RULES = letterRules([
  // Endings.
  ["(?<=[aâ])mment$|emment$", "amɑ̃"],
  ["(?<=[tv])ien(?=t$|s$|dr)", "jɛ̃"],
  ["ie(?=s$|nt$|$)(?<=[^aeoqu].{2})(?!nt$)", "i"],
  [`(?<=${CLUSTER})iers?$`, "ije"],
  ["iers?$", "je"],
  ["(?<=v)ers$", "ɛʁ"],
  ["er[sz]?$|ez$", "e"],
  ["ets?$|êts?$|aits?$|aît$|aies?$|aient$", "ɛ"],
  ["es$|e$", ""],
  ["ents?$(?<=ments?)", "ɑ̃"],
  ["ent$", ""],
  ["(?<=[aeo])ct(?=s?$)|(?<=i)ct$", "kt"],
  ["pts?$", "pt"],
  ["sts?$", "st"],
  ["(?<=n)cs?$", ""],
  ["cs?$", "k"],
  ["qs?$", "k"],
  ["(?<=[ou])x$", ""],
  ["(?<=.)[stdpxzg]+$", ""],
  // Nasal vowels.
  [`^en(?=n)|^em(?=m)`, "ɑ̃"],
  [`^enre(?=g)`, "ɑ̃ʁə"],
  [`(?:ai|ei)[nm]${NASAL}`, "ɛ̃"],
  [`oin${NASAL}`, "wɛ̃"],
  [`uin${NASAL}(?<!q...)(?<!g...)`, "ɥɛ̃"],
  ["ien(?=c|t)", "jɑ̃"],
  [`(?:[iy]|é)en$`, "jɛ̃"],
  [`(?<=${CLUSTER})ien${NASAL}`, "ijɛ̃"],
  [`[iy]en${NASAL}`, "jɛ̃"],
  ["(?<=..)en$", "ɛ̃"],
  [`e?an${NASAL}|am${NASAL}|e[nm]${NASAL}`, "ɑ̃"],
  ["(?<=..)ums?$", "ɔm"],
  [`eun${NASAL}|u[nm]${NASAL}`, "œ̃"],
  [`o[nm]${NASAL}`, "ɔ̃"],
  [`[iïy][nm]${NASAL}`, "ɛ̃"],
  // The future: the "e" of the ending is silent after a vowel.
  ["aie(?=r(?:a|ez$|on))", "ɛ"],
  ["ie(?=r(?:a|ez$|on))", "i"],
  ["oue(?=r(?:a|ez$|on))", "u"],
  ["(?<![gq])ue(?=r(?:a|ez$|on))", "y"],
  // Vowels of several letters.
  ["e?au(?=r)", "ɔ"],
  ["e?aux?$|e?au", "o"],
  ["ouill|ouil(?=s?$)", "uj"],
  ["aill|ail(?=s?$)", "aj"],
  ["eill|eil(?=s?$)", "ɛj"],
  ["(?:[eœu]ui|œi|uei)(?:ll|l(?=s?$))", "œj"],
  ["oy(?=[aeiouéè])", "waj"],
  ["o[iîy]e?", "wa"],
  ["ay(?=[aeiouéè])|ey(?=[aeiouéè])", "ɛj"],
  ["uy(?=[aeiouéè])", "ɥij"],
  ["o[uùû](?=[iaéèê]|e[rzt])", "w"],
  ["o[uùû]", "u"],
  ["^eu(?=r)|(?<=^h)eu(?=reu)", "ø"],
  ["(?:eu|œu)(?=[rlfvnbp](?!$)|[rlf]s?$)", "œ"],
  ["eu|eû|œu", "ø"],
  ["œ", "œ"],
  ["a[iî]|e[iî]", "ɛ"],
  ["ouï", "wi"],
  // "ill" after a consonant.
  ["(?<=^[vm]|anqu)ill|^ill", "il"],
  ["(?<=[^aeou]|qu|gu)ill", "ij"],
  // Consonants.
  ["ch(?=[rln])|(?<=psy|^or)ch(?=[eio])|(?<=^ar)ch(?=éo)", "k"],
  ["sch|ch|sh", "ʃ"],
  ["ph", "f"],
  ["th", "t"],
  ["gn", "ɲ"],
  ["gu(?=[eiéèêyîâ]|ai|ant$|ons$|ass)", "ɡ"],
  ["ge(?=[aoâô])", "ʒ"],
  ["g(?=[eiyéèêî])|j", "ʒ"],
  ["gg?", "ɡ"],
  ["c?qu|ck", "k"],
  ["sc(?=[eiyéèê])|ss|ç|c(?=[eiyéèêëî])", "s"],
  ["cc(?=[eiyéè])", "ks"],
  ["c+|k+|q", "k"],
  [`^exh?(?=[${V}])`, "ɛɡz"],
  ["(?<=soi)x", "s"],
  ["(?<=[iu])x(?=ième)", "z"],
  ["xc(?=[eiéè])|x", "ks"],
  [`(?<=[${V}])s(?=[${V}])`, "z"],
  ["s", "s"],
  ["(?<![sx])t(?=ion|ie(?:l|nc|ux))|(?<=a)t(?=ies?$)", "s"],
  ["(?<=om|l|^ba)p(?=t)", ""],
  ["tt?", "t"],
  // "e" by its syllable.
  ["(?<=^r)e(?=ss[aeo])|(?<=^d)e(?=ssous|ssus)", "ə"],
  ["e(?=[lnmtrsfpc])(?=(.)\\1)", "ɛ"],
  [`e(?!(?:${CLUSTER}|ch|ph|th|gn|qu|gu))(?=[^${V}h][^${V}h]|x)`, "ɛ"],
  ["e(?=[clfrt]s?$|ch[nlr])|[èêë]", "ɛ"],
  ["é", "e"],
  // After a vowel and one consonant, and before a consonant and a vowel, it is not heard.
  ["e(?=ri(?:ez|ons)$)", "ə"],
  [`(?<=[${V}](?:[nm]?[^${V}]h?|ll|pp|tt|ss|nn|mm|rr|gn|qu))e(?=[^${V}h][${V}])(?<!^.{0,2})`, ""],
  ["e", "ə"],
  // Vowels before vowels.
  [`(?<=${CLUSTER})i(?=[aeouéèêàâ])`, "ij"],
  ["i(?=[aouéèêàâ]|e(?!s?$|nt$))|y(?=[aeiouéè])|ï(?=[aeo])", "j"],
  ["u(?=[iî])", "ɥ"],
  [`u(?=[aéè]|er|ez)(?<!${CLUSTER}.)`, "ɥ"],
  ["[iîïy]", "i"],
  ["[uûùü]", "y"],
  ["(?<=^c)oo", "oɔ"],
  ["ô|o(?=s[eé]|s$|t$|$|p$)|oo", "o"],
  ["[oö]", "ɔ"],
  ["[aàâä]", "a"],
  ["h|'", ""],
  ["ll?", "l"],
  ["mm?", "m"],
  ["nn?", "n"],
  ["pp?", "p"],
  ["bb?", "b"],
  ["dd?", "d"],
  ["ff?", "f"],
  ["rr?", "ʁ"],
  ["w", "w"],
  ["[vz]", SAME],
]);

/** Words of which the spelling does not say how they are said. Without stress. */
const EXCEPTIONS = wordMap(`
  ai e, aiguille eɡɥij, alcool alkɔl, amer amɛʁ, août ut, aspect aspɛ, automne otɔn, automnes otɔn, cancer kɑ̃sɛʁ, ce sə, ces se, cent sɑ̃, cents sɑ̃,
  cher ʃɛʁ, chers ʃɛʁ, chœur kœʁ, clef kle, compris kɔ̃pʁi, cuiller kɥijɛʁ, damner dane, de də, des de, deuxième døzjɛm, dix dis, donc dɔ̃k,
  en ɑ̃, enfer ɑ̃fɛʁ, es ɛ, est ɛ, et e, eu y, eue y, eut y, eus y, examen ɛɡzamɛ̃, femme fam, femmes fam, fer fɛʁ, fier fjɛʁ, fils fis,
  gentil ʒɑ̃ti, gentils ʒɑ̃ti, hier jɛʁ, hiver ivɛʁ, huit ɥit, je ʒə, jean ʒɑ̃, jeans dʒin, juin ʒɥɛ̃, juillet ʒɥijɛ, lefebvre ləfɛvʁ, le lə, les le,
  lorsque lɔʁskə, mademoiselle madmwazɛl, me mə, mer mɛʁ, merci mɛʁsi, mes me, messieurs mesjø, message mesaʒ, monsieur məsjø, million miljɔ̃, millions miljɔ̃,
  milliard miljaʁ, milliards miljaʁ, ne nə, neuf nœf, nuit nɥi, œufs ø, bœufs bø, onze ɔ̃z, os ɔs, ouest wɛst, oui wi, outil uti, outils uti, parce paʁs,
  parfum paʁfœ̃, parfums paʁfœ̃, patient pasjɑ̃, patients pasjɑ̃, patiente pasjɑ̃t, pays pei, plus ply, poêle pwal, porc pɔʁ, puisque pɥiskə, que kə,
  quelqu kɛlk, respect ʁɛspɛ, se sə, second səɡɔ̃, seconde səɡɔ̃d, secondes səɡɔ̃d, sens sɑ̃s, sept sɛt, septième sɛtjɛm, ses se, six sis, ski ski,
  sud syd, super sypɛʁ, tabac taba, te tə, tes te, tiers tjɛʁ, tous tu, tout tu, client klijɑ̃, clients klijɑ̃, vers vɛʁ, village vilaʒ, villages vilaʒ,
  vingt vɛ̃, vingts vɛ̃, vous vu, yeux jø, zéro zeʁo, estomac ɛstɔma, maïs mais, net nɛt, ours uʁs, mars maʁs, fax faks, bus bys, plaît plɛ,
  email imɛl, mail mɛl, sms ɛsɛmɛs, wifi wifi, web wɛb, internet ɛ̃tɛʁnɛt, paris paʁi, corps kɔʁ, temps tɑ̃, longtemps lɔ̃tɑ̃, printemps pʁɛ̃tɑ̃,
  orchestre ɔʁkɛstʁ, écho eko, archéologue aʁkeolɔɡ, aimer ɛme, pharmacien faʁmasjɛ̃, rendez ʁɑ̃de, gens ʒɑ̃, dessous dəsu, dessus dəsy, doigt dwa, fusil fyzi
`);

/** Words in "-ent" that are no forms of verbs: the ending is heard. */
const NASAL_ENDINGS =
  /^(?:ab|pré)sent|^(?:ac|in)cident|prés?ident|évident|prudent|^dent|argent|^agent|urgent|indulgent|intelligent|récent|innocent|^accent|fréquent|conséquent|content|compétent|parent|différent|apparent|excellent|^lent|permanent|continent|souvent|^vent|couvent|orient|^client|patient|talent|équivalent|violent|adolescent|pertinent|étudient$/;
const VERBS_IN_MENT = wordSet("aiment ferment confirment forment dorment estiment nomment informent affirment arment");

/** Elided words, joined to what follows. */
const ELIDED = wordMap(
  "l l, s s, d d, c s, j ʒ, n n, m m, t t, qu k, jusqu ʒysk, lorsqu lɔʁsk, puisqu pɥisk, quelqu kɛlk, presqu pʁɛsk, aujourd oʒuʁd",
);

/** What is heard at the end of a word only when the next one begins with a vowel. */
const LIAISONS = new Map<string, string>();
for (const [consonant, words] of [
  [
    "z",
    "les des ces mes tes ses nos vos leurs aux nous vous ils elles quels quelles plusieurs très dans chez sans deux trois six dix vingts plus moins certains autres ont allez avez êtes sommes",
  ],
  ["n", "un mon ton son on en aucun bien rien"],
  ["t", "est c'est sont ont fait était avait quand petit grand cet vingt tout peut doit"],
] as const) {
  for (const word of words.split(" ")) LIAISONS.set(word, consonant);
}

/** An "h" that is not elided, and words that behave alike. */
const NO_LIAISON =
  /^(?:haut|hasard|haricot|handicap|hors|hall|halte|haine|hamster|hanche|harcel|hausse|héros|hésit(?!)|honte|huit|onz|oui|hollande|hongrie|ya)/;

const WEAK = wordSet(
  "je tu il elle on nous vous ils elles le la les l un une des de du à au aux et ou que qui ne en dans sur pour par sans chez mon ton son ma ta sa mes tes ses notre votre nos vos leur leurs ce cet cette ces se me te y si mais car est ai as a c'est s'il qu'il qu'elle qu'on j'ai d'un d'une plus très",
);

export const FRENCH: PronunciationRules = {
  pronounce(word) {
    return word
      .split("-")
      .filter(Boolean)
      .map(sayPart)
      .join("")
      .replace(/ˈ(?=.*ˈ)/g, "");
  },
  weakWords: WEAK,
  letterNames: {
    b: "bé",
    c: "cé",
    d: "dé",
    f: "effe",
    g: "gé",
    h: "ache",
    j: "ji",
    k: "ka",
    l: "elle",
    m: "emme",
    n: "enne",
    p: "pé",
    q: "cu",
    r: "erre",
    s: "esse",
    t: "té",
    v: "vé",
    w: "double vé",
    x: "ixe",
    y: "i grec",
    z: "zède",
    e: "eu",
  },
  join: (words) => words.map((word, index) => linked(word, words[index + 1])),
};

function sayPart(word: string): string {
  const [, elided, rest] = /^(\p{L}+)['’](.*)$/u.exec(word) ?? [];
  if (elided !== undefined && rest !== undefined)
    return (ELIDED.get(elided) ?? sayPart(elided)) + (rest === "" ? "" : sayPart(rest));
  if (word.length === 1 && !/[aàyôo]/.test(word)) return ELIDED.get(word) ?? readLetters(word, RULES);
  return withStress(symbolsOf(word), VOWELS, -1);
}

/** Kokoro learned French with "y" in place of "ɥ". */
function symbolsOf(written: string): string {
  const word = written.replace(/oe(?=[ui])/g, "œ");
  return symbolsOfLetters(word).replaceAll("ɥ", "y");
}

function symbolsOfLetters(word: string): string {
  const known = EXCEPTIONS.get(word);
  if (known !== undefined) return known;
  if (VERBS_IN_MENT.has(word)) return symbolsOfLetters(word.slice(0, -3));
  if (/ents?$/.test(word) && NASAL_ENDINGS.test(word)) return `${readLetters(word.replace(/ents?$/, ""), STEMS)}ɑ̃`;
  return readLetters(word, RULES);
}

/** Without the rules for endings, and before an "e". */
const STEMS = RULES.slice(RULES.findIndex(([letters]) => letters.source.startsWith("^en(?=n)")));

function linked({ written, symbols }: JoinedWord, next: JoinedWord | undefined): string {
  if (written === null || next === undefined) return symbols;
  const begins = next.symbols.replace(/^[ˈˌ]/, "");
  const isVowelNext = /^[aeiouyøœɛɔɑjwɥ]/.test(begins) && !NO_LIAISON.test(next.written ?? "");
  // "Six", "huit" and "dix" lose their consonant before another.
  if (!isVowelNext)
    return /^(?:six|dix|huit)$/.test(written) && /^[^aeiouyøœɛɔɑjwɥ]/.test(begins) ? symbols.slice(0, -1) : symbols;
  const consonant = LIAISONS.get(written);
  if (consonant === undefined) return symbols;
  return /^(?:six|dix)$/.test(written)
    ? symbols.slice(0, -1) + consonant
    : symbols.endsWith(consonant)
      ? symbols
      : symbols + consonant;
}
