import {
  letterRules,
  type PronunciationRules,
  readLetters,
  SAME,
  withStress,
  wordMap,
  wordSet,
} from "./letter-rules.ts";

/** "ɪ" and "ʊ" are the second parts of diphthongs. */
const VOWELS = /[aeiouɛɔ]/g;
const V = "aeiouàáèéìíòóùú";

/** "´" is a written accent, which becomes the stress. */
const RULES = letterRules([
  ["sch", "sk"],
  [`sci(?=[${V}])|sc(?=[eièéìí])`, "ʃ"],
  ["cch", "kː"],
  ["ch", "k"],
  ["cci(?=[aouàáòóùú])|cc(?=[eièéìí])", "ʧː"],
  ["ci(?=[aouàáòóùú])|c(?=[eièéìí])", "ʧ"],
  ["cqu", "kːw"],
  ["qqu|qu", "kw"],
  ["cc|kk", "kː"],
  ["[ckq]", "k"],
  [`gli(?=[${V}])|gl(?=i$|ì)`, "ʎ"],
  ["gn", "ɲ"],
  ["ggi(?=[aouàáòóùú])|gg(?=[eièéìí])", "ʤː"],
  ["gi(?=[aouàáòóùú])|g(?=[eièéìí])|j(?=.*[^aeiou]$)", "ʤ"],
  ["ggh?", "ɡː"],
  ["gh?", "ɡ"],
  ["(?<=me|^a|bi|ra|^ga)zz(?=[oauei])|(?<=i)(?<!^pi|diri|oli|rpi|schi|puli)zz|(?<=^a)zz(?=u)", "ʣː"],
  ["zz", "ʦː"],
  ["^z|(?<=pran|^o|man)z", "ʣ"],
  ["z", "ʦ"],
  ["ss", "S"],
  [`(?<=[${V}])s(?=[${V}])|s(?=[bdglmnrv])`, "z"],
  ["s", "s"],
  ["bb", "bː"],
  ["dd", "dː"],
  ["pp", "pː"],
  ["tt", "tː"],
  ["h|'", ""],
  ["x", "ks"],
  // Weak vowels: a consonant before another vowel, a glide after one.
  [`i(?=[${V}])|j`, "j"],
  ["uò", "w´ɔ"],
  ["uo", "wɔ"],
  ["(?<=l)u(?=ì)", "u"],
  [`u(?=[${V}])|w`, "w"],
  ["(?<=[aeo])i", "ɪ"],
  ["(?<=[ae])u", "ʊ"],
  ["[iy]", "i"],
  ["à|á", "´a"],
  ["è", "´ɛ"],
  ["é", "´e"],
  ["ì|í", "´i"],
  ["ò", "´ɔ"],
  ["ó", "´o"],
  ["ù|ú", "´u"],
  ["[aeoubdflmnprtv]", SAME],
]);

/** Words that are not stressed on the last vowel but one, by the vowel that has it, written with an accent. */
const ACCENTED = new Map(
  `sàbato doménica telèfono nùmero nùmeri mèdico mèdici mèdica farmacìa farmacìe polizìa energìa allergìa malattìa malattìe compagnìa economìa periferìa lucìa marìa
  anna sciòpero svìzzera svìzzero fàcile fàcili diffìcile diffìcili ùtile ùtili sìmile sìmili mòbile espòsito quìndici ùndici dódici trédici quattórdici sédici mùsica
  màcchina màcchine sùbito pàrlano chiàmano àbito àbita tàvolo pòpolo àngelo àngela òspite òspiti ànima isola lèttera lèttere càmera càmere dòllaro dòllari
  còdice còdici indìce òrdine òrdini órdine giòvane giòvani règola règole pàgina pàgine mìnimo màssimo último ùltimo ùltima ùltimi pròssimo pròssima ìsola pèrdita
  véndita vìsita vìsite òpera òpere cèllula pìccolo pìccola sécolo bìglia càpita àttimo ànno bàttito crèdito dèbito mèrito lìmite àlbero lìbero lìbera pòvero nùvola
  sìntomo sìntomi gràzie stòmaco clìnica pùbblico pùbblica prìncipe gènere cénere véscovo màrtire carattere caràttere lèggere èssere préndere scrìvere chiùdere rispóndere méttere chièdere rìdere
  vìvere decìdere conóscere córrere pèrdere véndere vìncere spéndere attèndere rivòlgere sólito sólita sólitamente ègitto nàpoli gènova mòdena pàdova bèrgamo tàranto
  addìo zìa stefanìa rosalìa mattìa elìa nazionalìtà ventìlo règalo pàssano pòssono vògliono dévono vèngono dìcono sànno hànno vàdano prègano lavòrano àbitano
  telèfona telèfoni telèfonino càrcere mìgliaia luìgi luìsa època pòlizza pòlizze scàtola tàglia rèndono rèndita crèdere pòrtano lùcido ràpido ràpida rìpido tìmido vàlido vàlida
  ùmido lìquido àcido sòlido tècnico tècnica bànca rèplica càrica càrico scàrica scàrico tràffico fàbbrica prègo cìfra sìndaco pàrroco mònaco àtomo èsito pòsito depòsito propòsito
  prèstito tìtolo càlcolo vìncolo artìcolo perìcolo veìcolo àsino òrgano òrgani òceano èvita pèttine ìndice vèrtice càlice sèmplice cómplice dòdici pòllice fòrbici rìcevere ricévere
  scòmodo còmodo còmoda mètodo perìodo èpisodio mùltiplo esèmpio discòrso sòffrono mèttono chiùdono àprono diàlogo catàlogo càpito disciplìna`
    .split(/\s+/)
    .map((word) => [word.normalize("NFD").replace(/\p{M}/gu, ""), word] as const),
);

/** Endings of words that are stressed on the last vowel but two, or on the "i" of "-ia". The accent shows where. */
const ENDINGS: readonly (readonly [ending: RegExp, accented: string])[] = [
  [/^(?!(?:ne|a)mic|antic|fatic|formic|ortic|vescic)(.*[aeiou])([^aeiou]{1,3})ic(o|a|i|he)$/, "$1\u0301$2ic$3"],
  [/(?<=nt[ia])due$/, "dùe"],
  [/([ai])bil(e|i|mente)$/, "$1\u0301bil$2"],
  [/evol(e|i|mente)$/, "e\u0301vol$1"],
  [/esim([oaie])$/, "e\u0301sim$1"],
  [/olog([oaie]|h[ie])$/, "o\u0301log$1"],
  [/ogra(f[oaie])$/, "o\u0301gra$1"],
  [/ometr([oaie])$/, "o\u0301metr$1"],
  [/(log|graf|nom|fon|pat|scop|fob)i([ae])$/, "$1i\u0301$2"],
  [/(?<!mat|mis|art|^s|s)eri([ae])$/, "eri\u0301$1"],
  [/([aei])v(an)o$/, "$1\u0301v$2o"],
  [/([aei])ron(o)$/, "$1\u0301ron$2"],
  [/([aei])sser(o)$/, "$1\u0301sser$2"],
  [/ebber(o)$/, "e\u0301bber$1"],
  [/([aei])ssim([oaie])$/, "$1\u0301ssim$2"],
  [/^(?!perd|abband|col|patr)(.*[aeiou])([^aeiou]+)ono$/, "$1\u0301$2ono"],
  [/^(?!pist)(.*[aeiou])([^aeiou]*[bcdgptv])ol([oaie])$/, "$1\u0301$2ol$3"],
  [/([ae])nd(ol[oaie]|omi|oci|ogli)$/, "$1\u0301nd$2"],
  [/([aei])te(mi|ci|lo|la)$/, "$1\u0301te$2"],
];
/** Infinitives in "-ere" that are stressed on the ending. Others are not. */
const LONG_INFINITIVES =
  /^(?:ri|ot|pos|so|ap|man|con|tratt|in)?(?:av|pot|dov|sap|ved|vol|ten|piac|man|sed|cad|god|tem|val|par|rimán|riman|ottén|ottén|mantén|tac|giac|dol)ere$|i?eri?$|(?:ch|n|t|r|m)iere$/;

export const ITALIAN: PronunciationRules = {
  pronounce(word) {
    const symbols = readLetters(marked(word), RULES);
    const stressed = symbols.includes("´")
      ? symbols.replace("´", "ˈ").replaceAll("´", "")
      : withStress(symbols, VOWELS, /[aeo]i$/.test(word) ? -1 : -2);
    const open = stressed
      .replace(/(?<=j)ˈe/, "ˈɛ")
      .replace(/ˈe(?=l[ːl]|nʦ)/, "ˈɛ")
      .replace(/ˈ([eo])(?=[^aeiouɛɔ]+[aeiou][^aeiouɛɔ]+[aeiou]$)/, (_, vowel) => (vowel === "e" ? "ˈɛ" : "ˈɔ"));
    // As Kokoro was taught: "ai" within a word is one symbol.
    return open
      .replace(/aɪ(?=.)/g, "I")
      .replace(/aɪ$/, "aj")
      .replaceAll("ɪ", "i")
      .replace(/(?<=w)ɔ/g, "o")
      .replace(/n(?=ɡ)/g, "ŋ");
  },
  weakWords: wordSet(
    "il lo la i gli le un uno una l di a da in con su per tra fra del dello della dei degli delle al allo alla ai agli alle dal dallo dalla dai dagli dalle nel nello nella nei negli nelle sul sullo sulla sui sugli sulle e ed o od ma che se mi ti si ci vi ne non mio mia suo sua",
  ),
  letterNames: {
    b: "bi",
    c: "ci",
    d: "di",
    f: "effe",
    g: "gi",
    h: "acca",
    j: "i lunga",
    k: "cappa",
    l: "elle",
    m: "emme",
    n: "enne",
    p: "pi",
    q: "cu",
    r: "erre",
    s: "esse",
    t: "ti",
    v: "vu",
    w: "doppia vu",
    x: "ics",
    y: "ipsilon",
    z: "zeta",
  },
  join: (words) => words.map(({ symbols }) => symbols),
};

const SHORT = wordMap(
  "qui qui, qua qua, io ìo, cui cùi, lui lùi, noi nòi, voi vòi, poi pòi, lei lèi, mai mai, sei sèi, chi chi, hanno hànno",
);

/** The word with an accent where its stress is not the usual one. */
function marked(word: string): string {
  if (/[àèéìòóù]/.test(word)) return word;
  // "Mio", "due", "via": with no other vowel, the weak one has the stress.
  const only = /^([^aeiou]+)([iu])([aeio])$/.exec(word);
  if (only !== null && !/[cgq]$/.test(only[1] ?? "")) return `${only[1]}${only[2] === "i" ? "ì" : "ù"}${only[3]}`;
  const known = SHORT.get(word) ?? ACCENTED.get(word);
  if (known !== undefined) return known;
  for (const [ending, accented] of ENDINGS) {
    if (ending.test(word)) return word.replace(ending, accented).normalize("NFC");
  }
  if (/[aeiou][^aeiou]+ere$/.test(word) && !LONG_INFINITIVES.test(word)) {
    return word.replace(/([aeiou])(?=[^aeiou]+ere$)/, "$1\u0301").normalize("NFC");
  }
  return word;
}
