import { wordsOf } from "../../text/values-in-speech/words.ts";

// The lists hold the words of every language that agents understand: a call is transcribed in one of them, and words that mean
// something else in another are left out.

/** What listeners say without wanting the floor. */
const BACK_CHANNELS = phrases(
  "mhm|mm|mmm|m|h|mh|um hum|uh hum|hum|mm hmm|mm hm|mmhmm|mhmm|hm|hmm|uh huh|uhuh|uh|um|ah|aha|oh|huh|ok|okay|okay then|k|yeah|yep|yup|yes|right|" +
    "alright|all right|sure|i see|got it|gotcha|good|great|fine|cool|nice|of course|exactly|really|oh really|wow|" +
    "i understand|understood|no problem|go on|go ahead|thanks|thank you|" +
    "ja|ja ja|jaja|genau|aha|ach so|achso|klar|verstehe|ich verstehe|in ordnung|alles klar|gut|natürlich|stimmt|danke|" +
    "sí|sí sí|claro|vale|ya|ajá|entiendo|comprendo|de acuerdo|bien|exacto|gracias|perfecto|" +
    "oui|oui oui|ouais|d'accord|je vois|je comprends|bien sûr|ah bon|très bien|merci|voilà",
);

/** What asks the other to be quiet, whatever follows. */
const STOP_WORDS = phrases(
  "stop|stop it|stop talking|wait|wait a minute|wait a second|hold on|hold up|hang on|shut up|be quiet|quiet|enough|" +
    "excuse me|pardon|pardon me|one moment|one second|just a moment|just a second|just a minute|let me speak|no no|" +
    "moment|moment mal|einen moment|stopp|halt|warten sie|warte|nein nein|" +
    "espere|espera|un momento|pare|perdone|disculpe|" +
    "attendez|un instant|une seconde|arrêtez|non non",
);

/** Words that rarely end a sentence: a speaker who ends with one is looking for words. */
const UNFINISHED_ENDS = phrases(
  "um|uh|er|erm|hmm|you know|i mean|so|and|or|but|because|since|if|when|while|which|than|the|a|an|my|your|our|his|her|" +
    "their|to|of|for|from|with|at|on|into|is|are|was|will be|would be|i'm|i am|it's|let me see|let's see|and then|" +
    "how about|what about|the number is|my name is|" +
    "ähm|äh|und|oder|aber|weil|dass|wenn|mein|meine|einen|mit dem|mit der|für den|für die|ich bin|ich habe|mein name ist|die nummer ist|" +
    "este|pues|pero|porque|cuando|mi nombre es|me llamo|es que|el número es|" +
    "euh|mais|parce que|quand|je suis|je m'appelle|c'est le|c'est la|mon nom est|le numéro est",
);

/** Ends of whole sentences that look like the above. */
const FINISHED_ENDS = phrases(
  "think so|guess so|hope so|suppose so|believe so|said so|want to|love to|like to|need to|have to|used to|going to|" +
    "it is|that is|this is|she is|he is|who is|you are|we are|they are|i was|it was|yes i am|hold on|hang on|" +
    "go on|later on|from now on|looking for|asking for|where from|and so on|i think so|who for|what for",
);

/** What asks us to wait and to say nothing meanwhile. */
const HOLD_REQUESTS = phrases(
  "please hold|hold please|hold the line|please wait|please stay on the line|stay on the line|bear with me|hold on|" +
    "hang on|one moment|one second|one sec|one minute|just a moment|just a second|just a sec|just a minute|a moment|" +
    "wait a moment|wait a minute|wait a second|give me a moment|give me a second|give me a minute|let me check|" +
    "let me get her|let me get him|i'll put you through|i'll get her|i'll get him|i'll transfer you|" +
    "einen moment|einen moment bitte|moment bitte|einen augenblick|bleiben sie dran|ich verbinde sie|ich hole ihn|ich hole sie|" +
    "un momento|un momento por favor|no cuelgue|le paso|espere un momento|" +
    "un instant|un instant s'il vous plaît|ne quittez pas|je vous le passe|je vous la passe|patientez",
);

/** What people say when they pick up. */
export const HELLO_ANSWERS: readonly string[] = [
  "hello",
  "hi",
  "hey",
  "hello hello",
  "yes",
  "yes hello",
  "yeah",
  "hello yes",
  "speaking",
  "good morning",
  "good afternoon",
  "good evening",
  "hello who is this",
  "who is this",
];

/** Short listening feedback: recognition is weak at isolated words. */
export const OVER_PHRASES: readonly string[] = [
  ...["okay", "yeah", "right", "i see", "sure", "mhm", "uh huh", "all right", "got it", "of course", "thank you"],
  ...["go ahead", "good", "really", "stop", "wait", "wait a second", "hold on", "excuse me", "one moment"],
  ...["just a moment", "no wait"],
];

/** What people say when they hang up. */
const FAREWELLS = phrases(
  "bye|goodbye|good bye|bye bye|see you|see you then|see you soon|talk to you later|you too|same to you|take care|" +
    "have a good day|have a nice day|have a good one|good night|thanks a lot|thank you very much|thank you so much|" +
    "tschüss|tschüs|auf wiederhören|auf wiedersehen|schönen tag noch|vielen dank|" +
    "adiós|hasta luego|hasta pronto|buenos días|buenas tardes|muchas gracias|" +
    "au revoir|bonne journée|bonne soirée|à bientôt|merci beaucoup",
);

const POLITE = new Set(["please", "thanks", "thank", "you", "sir", "madam", "ma'am", "oh", "well", "um", "uh", "so"]);
/** A request to wait is short; the same words in a longer sentence mean something else. */
const HOLD_REQUEST_WORDS_MAX = 8;

/** The words of a text in lower case, without punctuation. */
export function lowerCaseWords(text: string): readonly string[] {
  return wordsOf(text).map((word) => word.text);
}

/** Nothing but what listeners say: "mhm", "yeah okay". */
export function isBackChannel(words: readonly string[]): boolean {
  if (words.length === 0) return false;
  for (let at = 0; at < words.length; ) {
    const taken = longestAt(BACK_CHANNELS, words, at);
    if (taken === 0) return false;
    at += taken;
  }
  return true;
}

/** Could still become what listeners say: "thank", "all". */
export function mayBecomeBackChannel(words: readonly string[]): boolean {
  const said = `${words.join(" ")} `;
  return words.length > 0 && BACK_CHANNELS.all.some((phrase) => phrase.startsWith(said));
}

/** Nothing but goodbyes, and what listeners say: "okay thank you bye". */
export function isFarewell(words: readonly string[]): boolean {
  if (words.length === 0) return false;
  for (let at = 0; at < words.length; ) {
    const taken = Math.max(longestAt(FAREWELLS, words, at), longestAt(BACK_CHANNELS, words, at));
    if (taken === 0) return false;
    at += taken;
  }
  return true;
}

/** Begins with a request to stop, politeness apart. */
export function beginsWithStopWord(words: readonly string[]): boolean {
  const at = words.findIndex((word) => !POLITE.has(word) && !BACK_CHANNELS.has(word));
  return at >= 0 && longestAt(STOP_WORDS, words, at) > 0;
}

export function endsUnfinished(words: readonly string[]): boolean {
  return endsWith(UNFINISHED_ENDS, words) && !endsWith(FINISHED_ENDS, words);
}

/** "Hold on, who is this?" requires an answer rather than silence. */
const ASKS = /^(?:who|who's|what|what's|why|where|how|which|is|are|do|does|did|can|could|have)$/;

export function isHoldRequest(said: readonly string[]): boolean {
  if (said.length > HOLD_REQUEST_WORDS_MAX) return false;
  const words = /^(?:can|could|would) you /.test(said.join(" ")) ? said.slice(2) : said;
  const at = words.findIndex((word) => !POLITE.has(word) && !BACK_CHANNELS.has(word));
  return [at - 1, at].some((start) => {
    const count = start < 0 ? 0 : longestAt(HOLD_REQUESTS, words, start);
    return count > 0 && !words.slice(start + count).some((word) => ASKS.test(word));
  });
}

/** Without the words that make an answer polite. */
export function withoutPoliteness(words: readonly string[]): readonly string[] {
  return words.filter((word) => !POLITE.has(word));
}

interface Phrases {
  has(phrase: string): boolean;
  readonly all: readonly string[];
  /** How many words the longest has. */
  readonly longest: number;
}

function phrases(list: string): Phrases {
  const all = list.split("|");
  const known = new Set(all);
  return { has: (phrase) => known.has(phrase), all, longest: Math.max(...all.map((each) => each.split(" ").length)) };
}

/** The number of words of the longest phrase that begins at a position. */
function longestAt(known: Phrases, words: readonly string[], start: number): number {
  for (let count = Math.min(known.longest, words.length - start); count > 0; count--) {
    if (known.has(words.slice(start, start + count).join(" "))) return count;
  }
  return 0;
}

function endsWith(known: Phrases, words: readonly string[]): boolean {
  for (let count = Math.min(known.longest, words.length); count > 0; count--) {
    if (known.has(words.slice(-count).join(" "))) return true;
  }
  return false;
}
