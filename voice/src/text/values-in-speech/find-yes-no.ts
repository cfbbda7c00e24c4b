import { type Found, foundAt } from "./found.ts";
import { longFormOf } from "./long-forms.ts";
import { isJoined, type Word, wordsOf } from "./words.ts";

/**
 * How people agree and refuse, for every question that can be agreed to or refused. Phrases are in long form ("do not"
 * for "don't"), one per line of a list, separated by bars.
 */

/** What a phrase says about what was proposed. `neither` protects phrases that contain a yes or a no and mean none. */
type Meaning = "yes" | "no" | "neither";

/**
 * - strong: cannot be taken back by a polite word after it.
 * - weak: agrees, but also just ends a sentence or hedges; any strong word in the same utterance outranks it.
 */
type Intensity = "strong" | "weak";

interface YesNoPhrase {
  readonly words: readonly string[];
  readonly meaning: Meaning;
  readonly intensity: Intensity;
  /** Counts only where nothing follows: "I am" agrees, and "I am at home" does not. */
  readonly isFinal: boolean;
}

const YES = `
yes|yeah|yep|yup|yah|yea|aye|yes please|yes indeed|yes yes|oh yes|hell yes|heck yes|hell yeah|yes of course|yes sir|yes ma'am
sure|sure thing|for sure|oh sure|sure enough|certainly|absolutely|definitely|totally|of course|of course i will|indeed|affirmative|naturally|obviously
exactly|precisely|that is correct|that is right|that is it|that is true|that is so|quite right|quite so|spot on|bang on|you are right|right you are
go ahead|go for it|go on then|please do|be my guest|fire away|by all means|with pleasure|gladly|happily|willingly
happy to|glad to|more than happy to|i would be happy to|i would be glad to|i would be delighted|i would love to|would love to|love to|i would like that|i would love that|delighted
why not|do not see why not|i do not see why not|no reason not to|no objection|no objections|i have no objection|i have no objections
no doubt|no doubt about it|without a doubt|without doubt|without question|no question|beyond doubt|without hesitation|in a heartbeat
would not hesitate|i would not hesitate|would not think twice|would not say no|i would not say no|i will not say no|can not say no|i would be a fool not to|nothing against it
can not wait|would not miss it|i would not miss it|would not miss it for the world|count me in|count on me|you can count on me|i am up for it|i am up for that|i am all for it
works for me|that works|that would work|that will work|it works|suits me|that suits me|that suits|suits me fine|that would suit me|fine by me|fine with me|okay by me|okay with me|good with me|i am okay with that|i am fine with that|i am good with that|i am happy with that
sounds good|sounds great|sounds fine|sounds perfect|sounds right|sounds about right|sounds lovely|that sounds good|that sounds great|that sounds fine|that sounds right
you bet|you betcha|you got it|too right|damn right|darn right|it is a deal|roger|roger that|ten four|copy that|will do|can do|consider it done
uh huh|mhm|mm hmm|mmhmm|hundred percent|one hundred percent|a hundred percent|100 percent|100 %|hundred per cent
all the way|most certainly|most definitely|very much so|all day long|why yes|yes actually|it certainly is|it sure is|it sure does|i sure do|i sure will|i sure would|i sure am|i certainly will|i certainly would|i certainly do|i certainly am|no yeah|no yes
i agree|agreed|granted|all good|all set|let us do it|let us do that|please go ahead|i accept|i confirm|confirmed|i am afraid so|if you like|if you want|if you must`;

const FINAL_YES =
  "this is he|this is she|this is him|this is her|this is me|that is me|that would be me|that will be me|that is i|speaking|this is he speaking|you are speaking to him|you are speaking to her|you are talking to him|you are talking to her|you have got him|you have got her|you have got me|you got me|the very same|the one and only|in the flesh|in person|this is she speaking|i am in|i am game|i am down|deal|do it|let us go|correct|true|i would like to|i do|i am|i will|i can|i would|i have|i did|i shall|it is|it does|it was|it will|it has|we are|we do|we will|we can|we have|we did|we would|they will|they are|they do|they can|she will|he will|she is|he is|someone will|somebody will|there will|there is|you may|you can|you are|you do|you have|that i do|that i am|that i will|please|rather|okay yes";

/** Refusals that are cut short. With more words after them they are part of what they refuse. */
const FINAL_NO =
  "i do not|i can not|i will not|i am not|i would not|i have not|i did not|i had not|i could not|i should not|we do not|we can not|we will not|we are not|we have not|we did not|we would not|it is not|it does not|it was not|it will not|he is not|she is not|they are not|there is not|there will not|you can not|you may not|you are not|do not|she will not|he will not|they will not|no one will|no one is|no one will be|they do not|she is not|he does not|she does not|not me|not us|never|never ever|not ever|nobody|nobody at all|no one|no one at all|not anybody|not anyone|not a soul|none of us|neither of us";

const WEAK_YES =
  "ok|okay|okey dokey|okie dokie|all right|righto|right oh|no problem|no worries|yeah no problem|yeah no worries|yeah no bother|yeah no trouble|yes no problem|yes no worries|not a problem|that is fine|that is okay|that is good|that is all right|that is great|that is perfect|fair enough|i think so|i guess so|i suppose so|i believe so|i reckon so|i would think so|i would say so|i expect so|i imagine so|i guess|i suppose|i reckon|may as well|might as well|i do not mind|do not mind|i would not mind|not a bad idea|if it is quick|i could|very well";

const FINAL_WEAK_YES =
  "right|fine|good|great|perfect|cool|lovely|brilliant|excellent|wonderful|grand|super|splendid|nice|done";

const NO = `
no|nope|nah|nay|naw|no no|no no no|hell no|heck no|oh no|no sir|no ma'am|no siree|no way|no way jose|no chance|not a chance|fat chance|not likely|not bloody likely|no thanks|no thank you|thanks but no thanks|thanks but no|no ta|no can do|no dice
not really|not at all|not yet|not just yet|not as yet|not so far|not today|not now|not just now|not right now|not at the moment|not at this moment|not at present|not this time|not for me|not particularly|not especially|not exactly|not quite|not in the slightest|not in the least|not in a million years|not any more|no longer|not necessary|not needed|no need|there is no need|that is not necessary|that will not be necessary
please do not|do not bother|i do not think so|do not think so|i do not believe so|i should not think so|i am afraid not|afraid not|unfortunately not|sadly not|of course not|absolutely not|certainly not|definitely not|probably not|obviously not|most certainly not|i think not|i hope not|i guess not|i suppose not|apparently not|surely not|why would i|why should i
negative|by no means|under no circumstances|out of the question|that is out of the question|over my dead body|forget it|forget that|no deal|dream on
that is not right|that is not correct|that is not true|that is not me|that is not it|that is not so|that is wrong|that is incorrect|incorrect|wrong|not correct|not right|not true|untrue|that is false|false
uh uh|nuh uh|rather not|i would rather not|would rather not|i would prefer not|would prefer not|i would prefer not to|i prefer not to|i would sooner not|i would rather you did not|not interested|i am not interested|no interest|i have no interest|i disagree|i refuse|i decline|i object|i will pass|i pass|i think i will pass|hard pass|count me out|leave me out|i am out|no good|no use|no luck|no joy|no such luck|no go
i am good thanks|i am good thank you|i am okay thanks|i am all right thanks|i am fine thanks|we are good thanks|we are fine thanks|yeah no|yeah nah|yes no|nah you are all right|you are all right`;

const NEITHER = `
maybe|perhaps|possibly|i do not know|do not know|dunno|no idea|i have no idea|not sure|i am not sure|not so sure|not too sure|not quite sure|not entirely sure|not certain|i am not certain|not a hundred percent|not 100 percent
it depends|that depends|depends|we will see|let us see|i hope so|hopefully|i can not say|i could not say|can not say|hard to say|who knows|could be|might be|yes or no|yes and no|maybe yes maybe no|yes no maybe|neither|either|both|whatever|i do not care|do not care|i could not care less|i would if i could|would if i could|i wish i could|i wish
right now|right away|right here|right there|right back|right after|right before|right person|right number|right time|right day|all right then|no one|no matter|no more|no wonder|no time|no money|number|no number
i do not understand|do not understand|i do not follow|do not follow|not bad|not too bad|so so|i can not hear|i can not hear you|can not hear you|i can not understand|can not understand you|i do not remember|do not remember|i can not remember|can not remember|i can not recall|i do not recall|i forget|i can not tell|i can not decide|can not decide|i can not promise|can not promise|no promises|fine line|i am good at|good question|good morning|good afternoon|good evening|good day|good lord|good grief|good god|great question|okay google|sure is|sure are|sure has|sure sounds|sure looks|sure seems|sure do not|sure not|sure if|sure whether|sure about|never mind|no rush|no hurry|no offense|no offence|no pressure|do not worry|do not you|do not we|do not get me wrong|i do not blame you|i can not believe|i can not talk|can not talk|i can not speak|can not speak|true story|i am not home|i am not at home|i can not afford|i do not want|i do not need|i do not have|i do not like|i did not say|i did not mean|i did not catch|i did not hear|i did not get|i have not decided|have not decided|i am not the|i am not a|i do not speak|it is not that|it is not a|why not just|why not you|not only|not even|not until|not before|not unless|not if|not without|is not it|is not that|will not you|can not you|are not you|does not it|i wonder`;

/** By their first word, the longest first. */
const YES_NO_PHRASES: ReadonlyMap<string, readonly YesNoPhrase[]> = Map.groupBy(
  [
    ...phrasesOf(YES, { meaning: "yes", intensity: "strong", isFinal: false }),
    ...phrasesOf(FINAL_YES, { meaning: "yes", intensity: "strong", isFinal: true }),
    ...phrasesOf(WEAK_YES, { meaning: "yes", intensity: "weak", isFinal: false }),
    ...phrasesOf(FINAL_WEAK_YES, { meaning: "yes", intensity: "weak", isFinal: true }),
    ...phrasesOf(NO, { meaning: "no", intensity: "strong", isFinal: false }),
    ...phrasesOf(FINAL_NO, { meaning: "no", intensity: "strong", isFinal: true }),
    ...phrasesOf(NEITHER, { meaning: "neither", intensity: "strong", isFinal: false }),
  ].toSorted((one, other) => other.words.length - one.words.length),
  ({ words }) => words[0] ?? "",
);

function phrasesOf(list: string, kind: Omit<YesNoPhrase, "words">): YesNoPhrase[] {
  return list
    .trim()
    .split(/[|\n]/)
    .map((phrase) => ({ ...kind, words: phrase.split(" ") }));
}

/** A yes or no in a sequence of words. */
export interface YesNoHit {
  readonly phrase: YesNoPhrase;
  /** Between which words. */
  readonly start: number;
  readonly end: number;
}

/** What may follow a phrase that must come last, and is no sentence of its own. */
const AFTER_FINAL =
  /^(?:please|thanks|thank|then|sir|madam|ma'am|with|by|and|but|so|yes|yeah|ok|okay|indeed|for|too|actually)$/;

/** The yes and no of words in their long form, the longest phrases first. Pauses inside a phrase do not matter. */
export function findYesNoHits(words: readonly Word[]): YesNoHit[] {
  const hits: YesNoHit[] = [];
  for (let at = 0; at < words.length; ) {
    const phrase = (YES_NO_PHRASES.get(words[at]?.text ?? "") ?? []).find(
      (each) =>
        each.words.every((word, index) => words[at + index]?.text === word) &&
        !isDeterminer(each, words[at + 1]) &&
        (!each.isFinal || (isOver(words[at + each.words.length]) && !isShortened(words, at + each.words.length - 1))),
    );
    if (phrase !== undefined) hits.push({ phrase, start: at, end: at + phrase.words.length });
    at += phrase?.words.length ?? 1;
  }
  return hits;
}

const SHORTENED = /^(?:is|am|are|will|would|have|has)$/;

/** "Well, I told you that it's": a short form that ends what was said was to go on. "It isn't" is whole. */
function isShortened(words: readonly Word[], last: number): boolean {
  return SHORTENED.test(words[last]?.text ?? "") && words[last]?.start === words[last - 1]?.start;
}

/** After a "no" that refuses, these continue; anything else is what is being negated: "no bother", "no sugar". */
const AFTER_NO =
  /^(?:i|we|you|he|she|they|it|this|that|there|not|do|don't|never|thanks|thank|please|sorry|but|and|absolutely|definitely|really|actually|just|sir|madam|ma'am|mate|love|dear|because|cause|cancel|keep|leave|let|my|the|no|nope|nah|yes|yeah|okay|ok|oh|wait|hang|hold|make|go|come|of|if|unless|way|can|could|will|would|is|are|am|have|has|nobody|nothing|none|what|why|who|how|when|where|so|then|say|said|sure|maybe|afraid|unfortunately|put|take|send|use|stop|for|at|on|in|with)$/;

function isDeterminer({ words }: YesNoPhrase, following: Word | undefined): boolean {
  const isBareNo = words.length === 1 && words[0] === "no";
  return isBareNo && following !== undefined && isJoined(following) && !AFTER_NO.test(following.text);
}

function isOver(following: Word | undefined): boolean {
  return following === undefined || !isJoined(following) || AFTER_FINAL.test(following.text);
}

/** Whether a text is nothing but a yes, or a no. */
export function isOnly(meaning: "yes" | "no", text: string): boolean {
  const words = longFormOf(wordsOf(text));
  const hits = findYesNoHits(words);
  const covered = hits.reduce((sum, { start, end }) => sum + end - start, 0);
  return words.length > 0 && covered === words.length && hits.every(({ phrase }) => phrase.meaning === meaning);
}

/**
 * Whether the speaker agrees. If both occur, the last one counts ("yes, I mean no"), but "no, that's fine" is still a
 * no; in both cases the opposite is the alternative.
 */
export function findYesNo(text: string): Found<boolean> | null {
  const words = longFormOf(wordsOf(text));
  const said = findYesNoHits(words).filter(({ phrase }) => phrase.meaning !== "neither");
  const strong = said.filter(({ phrase }) => phrase.intensity === "strong");
  const deciding = strong.at(-1) ?? said.at(-1);
  if (deciding === undefined) return null;
  const value = deciding.phrase.meaning === "yes";
  const isDoubtful = said.some(({ phrase }) => (phrase.meaning === "yes") !== value);
  return foundAt(words, deciding.start, { value, others: isDoubtful ? [!value] : [], next: deciding.end });
}
