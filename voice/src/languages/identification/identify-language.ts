import { FRENCH_WORDS } from "../french/french-words.ts";
import { GERMAN_WORDS } from "../german/german-words.ts";
import { SPANISH_WORDS } from "../spanish/spanish-words.ts";

/**
 * The words that people say most on the telephone, by language, without accents. Together with the words of the language
 * packs they tell languages apart. Words that two languages share speak for neither of them.
 */
const COMMON_WORDS: Readonly<Record<string, string>> = {
  en: `a about after again all already also always am an and another any anybody anyone anything are around as ask at away back bad
    be because been before being better between both but by bye call called calling came can cancel car change check come coming
    could day did do does doing done down each early else end english enough even evening ever every everything fine first for
    from get give go going gone good got great had has have having he hear hello help her here him his home hour house how i if
    in into is it its just keep know last late later leave let like little long look lot made make man many may maybe me mean
    might mine minute month more morning most much must my name need never new next nice night no none nope not nothing now of
    off office okay old on once one only or other our out over own paid pay people person phone please probably put question
    rather really right said same say see seen she should since sir so some somebody someone something soon sorry speak still
    stop such sure take talk tell than thank thanks that the their them then there these they thing think this those though
    time to today together told tomorrow tonight too took trying two under understand until up us use very wait want was way we
    week well went were what when where which while who whole why will wish with without woman work working would year yeah yes
    yesterday yet you your yours`,
  es: `hablo habla hablas hablan espanol castellano ingles despacio llameme repetir repita cuatro cinco seis siete ocho nueve diez once doce
    quince veinte treinta
    a acuerdo adios ahi ahora ahorita al algo alguien algun alguna alla alli amigo antes anoche aqui asi aun aunque ayer bien buen
    buena buenas bueno buenos cada casa casi cita claro comer como con conmigo contigo creo cual cuando cuanto cuanta cuantos da
    dame de deje dejeme del dentro desde despues dia dias dice dicho diga digame digo dijo dime dinero donde dos durmiendo ella
    ellos en entiendo entiende entonces era eres es esa ese eso esos espera espere espereme esta estaba estamos estan estar estare
    estas este esto estos estoy estuve fue fueron gente gracias gusta gustaria ha haber hable hablar hace hacer haga hago han has
    hasta hay haya he hemos hermana hermano hice hija hijo hizo hola hora horas hoy ido igual interesa ir jefe jueves la las le
    les llama llamada llamar llame llamo llego lo los luego lunes mal manana mande marido martes mas me media mejor menos mes mi
    mia miercoles mio mira mire mis misma mismo momento momentito mucha muchas mucho muchos mujer muy nada nadie necesito ni
    ninguna ninguno noche nombre nos nosotros nuestra nuestro numero nunca o oigo oye oiga otra otro pagado pague para parece
    parte pasa pasada pasado pedido perdon perdona pero persona personas poco podria por porque posible pregunto prefiero primero
    pronto puede pueden puedo pues que quien quiere quieren quieres quiero quisiera sabe saber sabes se sea segundo seguro
    semana senor senora senorita ser sera si siempre siento sin sobre sola solamente solo somos son soy su sus tal tambien
    tampoco tan tarde te tenemos tener tengo tiempo tiene tienen tienes toda todas todavia todo todos trabajando trabajo tres
    tu un una uno usted ustedes va vale vamos van vaya veces venga vengo ver vez viene viernes vive vivo voy y ya yo`,
  de: `vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig dienstag langsam langsamer sprich sprichst
    ab aber alle alles als also am an andere anderen anrufen auch auf aus bei beim bekommen besser bestellt bezahlt bin bis
    bisschen bist bitte brauche brauchen da dachte dafur dahin damit danach dann daran das dass dazu dein deine dem den denn der
    des deutsch dich die dies diese dieser dieses dir doch donnerstag dort drei du durch eben echt eher eigentlich ein eine einen
    einem einer eines einfach einmal einverstanden englisch er erst es etwas euch euer falsch fast finde frau freitag frau fruh
    fur ganz gar geben gegangen gegen geht gehe gehen gehort genau gerade gern gerne gesagt gestern gibt glaube gleich grad gut
    guten gute guter habe haben hab hatte hatten haus hause heisse heisst heute hier hole horen hore ich ihm ihn ihnen ihr ihre
    ihren im immer irgendwie ist ja jede jeder jemand jetzt kann kannst kein keine keinen klar komme kommen kommt konnen konnte
    konnten lassen lieber los mache machen macht machte mag mal mann mehr mein meine meinen meiner mich mir mit mittag mittwoch
    mochte mochten moment montag morgen muss mussen nach nachher nachmittag nachste nachsten naturlich ne nee nehmen nein nicht
    nichts nie niemand noch nochmal nun nur ob oder ohne okay passt recht rede reden richtig ruhe rufen rufe ruf sag sage sagen
    samstag schlecht schon schonen sehr sei sein seine seit selber selbst sich sie sind sofort soll sollen sollte sonntag
    spater sohn spreche sprechen stunde stunden tag tage termin tochter tun tut uber uhr um und uns unser unsere unter verstanden
    verstehe verstehen versteh viel viele vielen vielleicht vom von vor vorbei wann war ware waren warten warum was weg wegen
    weil weiss welche wem wen wenn wer werde werden wie wieder will wir wird wissen wo woche wohnt wohl wollen wollte worum
    wurde zeit zu zum zuruck zur zwei`,
  fr: `cinq sept huit neuf dix onze douze treize quinze seize vingt trente francais anglais comprenez lentement allo
    ah ai aime aller alors apres appareil appeler appelle appelez arrive as assez attendez attends au aujourd aujourd'hui aussi
    autre aux avait avant avec avez avoir avons beaucoup ben bien bientot bon bonjour bonne bonsoir bref c' ca car ce cela celle
    celui certainement ces cet cette chez chose comme comment commande comprends comprend connais content croyez d' d'accord
    dans de deja demain depuis derriere des desole desolee deux devant dimanche dire dis dit dites dois doit donc donnez dont du
    ecoutez elle elles en encore enfant ensuite entendu entends entre erreur es est et etait etais etes etre eu euh evidemment
    faire fait faites faut femme ferme fils fille frere gens gentil habite hein heure heures hier homme hui ici il ils j' jamais
    je jeudi jour jours jusqu'a juste l' la laissez le les leur lui lundi ma madame mademoiselle mais maintenant maison mal
    mardi mari marche matin me meme merci mercredi mere mes midi mieux moi moins mois moment mon monde monsieur n' ne ni nom non
    nos notre nous nouveau on ont ou ouais oui par parce pardon pareil parle parlez parler part pas passe passez payer paye
    pendant pense pere personne peu peut peut-etre peux plait plus plutot possible pour pourquoi pourrais pourrait pourriez
    pouvez prefere premier prend prends prochain prochaine puis qu' qu'il quand quatre que quel quelle quelque quelqu'un qui quoi
    rappelez rappeler regle rendez rendez-vous repeter revoir rien s' s'il sa sais samedi sans savez savoir se semaine ses seulement
    si soeur soir sois son sont sous souvent suis sur ta tant tard te temps tes toi ton tot toujours tous tout toute tranquille
    travail travaille tres trois trop tu un une va vais vas vendredi venir vers veut veux vient viendrai voila voir vois volant
    vont vos votre voudrais voulez vous vrai vraiment y`,
  it: `cinque sette otto nove dieci undici dodici venti trenta parlate capisce
    abbiamo adesso allora altra altro anche ancora andare appuntamento aspetti aspetta avete bene bisogno buona buonasera buongiorno
    c'e capisco capito casa che chi chiamare chiami chiamo ci ciao come con cosa cosi da dalla deve devo di dica dice dire domani
    domenica dopo dove due e ecco era esatto essere fa faccio fatto figlia figlio fra fuori gia giorno giovedi giusto gli grazie ha
    ho hanno ieri il impegno in inglese io italiano lavoro lavorando lei loro lunedi ma magari mai male marito martedi mattina me
    meglio meno mercoledi mi mia mio moglie molto momento nessuno niente noi nome non nostro nulla o oggi ora ore parla parlare parlo
    perche perfetto pero persona piacere piu po poi pomeriggio possibile posso potrebbe prego prima pronto puo pure qual qualcosa
    qualcuno quale quando quanto quattro quello questa questo qui quindi ripetere sabato sbagliato scusi scusa se sei sembra sempre
    senta sera si signora signore sono sta stasera sto subito sul tardi tempo tra tre troppo tutti tutto un una uno va vado vediamo
    per favore venerdi venire vengo viene voglio volta vorrei vuole`,
  pt: `cinco seis sete oito nove dez onze doze vinte trinta compreendo percebo entende falam
    agora ainda alguem algum alguma alo amanha amigo antes ao aqui assim ate bem boa bom cada casa certo com como consigo coisa
    contigo da de dele depois desculpe dessa desse deve dia disse do dois e ela ele eles em engano enganado entao entendo era essa
    esse esta estamos estao estar estava este estou eu fala falar falo fazer feira fica foi fora gente gostaria hoje hora horas ingles
    ir isso isto ja ligar ligue mais mas melhor menos mes meu mesmo meus minha moca moco muito muita nada nao nem nenhum ninguem
    noite nome nos nossa nosso numero nunca o obrigada obrigado olha onde ontem os ou outra outro para parece pela pelo pessoa pode
    podia porque portugues posso pouco pra precisa preciso primeiro quais qual quando quanto quarta que quem quer quero quinta
    quatro sabado sabe saber segunda sei seja semana sempre senhor senhora ser seu seus sexta sim so sou sua tambem tarde te
    tem temos tempo tenho ter terca teve tinha toda todo todos trabalho tres tudo um uma vai vamos vem vez vir voce voces volte vou`,
};

/** Names of people and places have these words in every language, so they say nothing about it. */
const WORDS_OF_NAMES = `a al da de del della der des di do dos du e el la las le les los lo o van von y zu san santa saint
  don dona rio casa mas pan sol mar juan maria jose hans jean luis ana karl peter rosa bella`;

/** Words that name a language or say that someone speaks it: with one of them, two words are enough. */
const WORDS_ABOUT_LANGUAGES = `hablo habla hablas hablan hable hablar espanol castellano ingles entiendo entiende
  spreche sprechen sprichst deutsch englisch verstehe versteh parle parlez parler francais anglais comprends parla parlo parlate italiano
  inglese capisco falo fala falar portugues`;

/** English words, interjections and loan words among the words above and those of the language packs. */
const ALSO_ENGLISH = `ah alo amigo ben bin bon bravo brief chez ciao comment content dame den dice die dir dis dix dont eh euh excuse fin
  fine hallo hat hein hui japan kind ma mai main mais male mal man me mode moment nada natural ne ni nom non nova now nun ok on ora our ours
  pain pardon part pas personal pie place plus point possible pre pro pronto pure quatre quit ration re regular sage sale sans se sent si
  simple six sol solo son sont sous sur ta tan tard tel ten ton tot tour tu tun uber us vague van vers via vis vos war was wen will`;

/** In which language something was said, as an ISO 639-1 code, judged by its words. */
export interface IdentifiedLanguage {
  readonly language: string;
  /**
   * - strong: a sentence that no one says in the expected language.
   * - weak: a word or two, which may be a greeting, a joke or a name.
   */
  readonly evidence: "strong" | "weak";
}

const PACK_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  es: SPANISH_WORDS,
  de: GERMAN_WORDS,
  fr: FRENCH_WORDS,
};

/** The words of each language that can be identified. What the packs translate to is English. */
const WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(COMMON_WORDS).map(([language, common]) => {
    const ofPacks =
      language === "en"
        ? [...Object.values(PACK_WORDS).flatMap((pack) => Object.values(pack)), ALSO_ENGLISH]
        : Object.keys(PACK_WORDS[language] ?? {});
    return [language, new Set([common, ...ofPacks].flatMap(wordsIn))];
  }),
);
const OF_NAMES = new Set(wordsIn(WORDS_OF_NAMES));
const ABOUT_LANGUAGES = new Set(wordsIn(WORDS_ABOUT_LANGUAGES));

/** A sentence: fewer words are weak evidence. */
const SENTENCE_WORDS_MIN = 3;
/** Among longer ones, this share must be known in the other language, so that a quoted title or a name is none. */
const SHARE_KNOWN_MIN = 0.6;

/** Null if what was said may well be in the expected language. */
export function identifyLanguage(text: string, expected: string): IdentifiedLanguage | null {
  const own = codeOf(expected);
  const ownWords = WORDS.get(own);
  if (ownWords === undefined) return null;
  const said = wordsIn(text).filter((word) => !OF_NAMES.has(word));
  const found = [...WORDS].flatMap(([language, words]) => {
    if (language === own) return [];
    const known = said.filter((word) => words.has(word));
    const foreign = known.filter((word) => !ownWords.has(word));
    const against = said.filter((word) => ownWords.has(word) && !words.has(word));
    return [{ language, foreign, known: known.length, balance: foreign.length - against.length }];
  });
  const [best, second] = found.toSorted((one, other) => other.balance - one.balance || other.known - one.known);
  if (best === undefined || best.balance <= 0 || best.known < said.length * SHARE_KNOWN_MIN) return null;
  // Two languages that share all of these words cannot be told apart yet.
  const isCertain = second === undefined || best.balance > second.balance || best.known > second.known;
  const isAboutLanguage = best.foreign.some((word) => ABOUT_LANGUAGES.has(word));
  const isSentence = wordsIn(text).length >= (isAboutLanguage ? 2 : SENTENCE_WORDS_MIN);
  const isStrong = isCertain && isSentence && best.balance >= (isAboutLanguage ? 1 : 2);
  return { language: best.language, evidence: isStrong ? "strong" : "weak" };
}

export function codeOf(language: string): string {
  return language.toLowerCase().split("-")[0] ?? "";
}

/** Words without accents, so that it does not matter how a recognizer writes them. "j'ai" is two. */
function wordsIn(text: string): string[] {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("’", "'");
  const words = plain.match(/\p{L}+(?:['-]\p{L}+)*/gu) ?? [];
  return words.flatMap((word) => {
    const elided = /^((?:[cdjlmnst]|qu)')(.+)$/.exec(word);
    return elided === null ? [word] : [elided[1] ?? "", elided[2] ?? ""];
  });
}
