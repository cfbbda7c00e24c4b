import { type AnswerReading, answerOf, NOT_UNDERSTOOD } from "../answer.ts";
import { unexplainedWords } from "../match-exits.ts";
import { type Clause, parseUtterance } from "../parse-utterance.ts";
import { isOnlyFiller, plainWords } from "../plain-words.ts";
import { askingSentence, type OpenQuestion } from "../question-context.ts";
import { stemOf } from "../word-forms.ts";

/**
 * An answer in the callee's own words. Nearly everything is one, but not a question, a refusal, "I couldn't say", a sentence
 * that was broken off, one that refers us to someone else, nor one that denies what was asked about.
 */
export function readFreeText(text: string, { ask, text: asked }: OpenQuestion): AnswerReading {
  const isAnswer =
    !isOnlyFiller(plainWords(text)) &&
    !((isNoStatement(text) || opensWithQuestion(text)) && !invitesQuestions(asked)) &&
    !REFUSALS.test(text) &&
    !DEFERRALS.test(text) &&
    !ASKS_ANOTHER.test(text) &&
    !KNOWS_NOTHING.test(text) &&
    !(DEPENDS.test(text) && plainWords(text).length <= DEPENDS_WORDS_MAX) &&
    !ABOUT_THE_CALL.test(text) &&
    !isStillThinking(text) &&
    !isBareYesNo(text, asked) &&
    !isBegun(text) &&
    !BREAKS_OFF.test(text) &&
    !deniesPremise(text, asked);
  return isAnswer ? { type: "answer", answer: answerOf(ask, text.trim()) } : NOT_UNDERSTOOD;
}

/** "I'd rather not say", "that's private". */
const REFUSALS =
  /\bnone of (?:your|ya) (?:\p{L}+ )?business\b|\b(?:i'd|i would) (?:rather|prefer) not(?: to)?(?: (?:say|tell|talk|discuss|answer|go into|get into|share)\b|[\s.!]*$)|\b(?:i don't|i do not|don't|do not|i'm not|i am not|i won't|i will not) (?:want|wish|care|have|need|going|gonna|like)? ?(?:to )?(?:say|tell you|telling you|discuss|discussing|answer|answering|talk about|share|give you)\b(?! (?:how|enough|what a))|^(?:\W*(?:that's|it's|it is|that is|sorry|no)\W+)*(?:private|personal|confidential|a secret|no comment|i refuse|i decline)(?: (?:matter|information|stuff|really))?\W*$|\bmind your own\b|\bno comment\b|\bi(?:'ll| will|'d| would|'m going to| might)? (?:only )?tell you (?:if|when|once|after|as soon as)\b/iu;
/** Someone else knows. */
const DEFERRALS =
  /\b(?:(?:you(?:'d| would|'ll| will)? (?:have|need|want) to|you(?:'d| would)? better|better|please|just|go|you should|you can|you could) )?(?:ask|talk to|speak to|speak with|check with) (?:him|her|them|my \p{L}+|the \p{L}+|someone else|somebody else)(?: (?:about (?:it|that)|that|instead|first|yourself|please))*(?=[\s.!?]*$|[\s,.]+(?:she|he|they|it|because|i)\b)/iu;
/** "You'd have to ask Jenny". */
const ASKS_ANOTHER =
  /\b(?:[Yy]ou(?:['’]d| would|['’]ll| will)?(?: have to| need to| want to| better| should| can| could)|[Bb]etter|[Pp]lease|[Bb]est) (?:just )?(?:ask|talk to|speak to|call|ring) \p{Lu}/u;
/** "I couldn't say, I've not been there": what follows only explains it. */
const KNOWS_NOTHING =
  /^\W*(?:(?:well|oh|um|uh|hmm|no|sorry|honestly|ah|look|to be honest|i['’]m afraid)\W+)*(?:(?:i|we)(?:['’]m afraid i)? )?(?:(?:really|honestly|just) )*(?:(?:couldn['’]t|could not|can['’]t|cannot) (?:(?:really|honestly|possibly) )*(?:say|tell(?: you)?)|wouldn['’]t (?:really )?(?:know|have (?:a|the \p{L}+est) ?(?:clue|idea)?)|haven['’]t (?:got )?(?:a clue|the \p{L}+est(?: idea)?|(?:really )?given (?:it|that) (?:any|much|a) .{0,16}thought.{0,16})|(?:don['’]t|do not) know yet|beats me|search me|not (?:a|the \p{L}+est) ?(?:clue|idea)?)(?:\W+(?:honestly|really|sorry|to be honest|i['’]m afraid|love|dear|mate|yet|at all))*(?=\W*$|[,.;!]+\s*(?:i|he|she|we|they|you|my|not|no|honestly)\b)/iu;
/** "It depends what you've got": a condition instead of an answer. */
const DEPENDS = /^\W*(?:(?:well|oh|um|uh|hmm)\W+)*(?:(?:it|that)(?: all| really| sort of)? )?depends\b/i;
const DEPENDS_WORDS_MAX = 12;
/** Words after which more was to come: "there's a", "and then you". */
const BREAKS_OFF =
  /\b(?:the|an?|my|our|your|their|and|or|but|because|when|if|than|(?:goes|going) to|(?:when|if|because|and then) (?:i|you|he|she|it|we|they))(?:,? (?:um|uh|er|erm|like|you know))*[\s,…]*(?:\.\.\.)?\s*$/i;
const ABOUT_THE_CALL =
  /\b(?:is|was) (?:that|this|it) what you (?:asked|want|wanted|mean|meant|said|need)\b|\bwhat (?:did|do) you (?:say|ask|mean)\b|^(?:\W*(?:well|so|um|uh))*\W*(?:it's|it is|that's|it was|the main thing is)(?: (?:mainly|mostly|just|really|basically|more|kind of|sort of|probably))* (?:that|because|like|the)\W*$/iu;

const PAUSE =
  "(?:hang on|hold on|hold the line|bear with me|one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute|tick)|a (?:moment|second)|(?:give|gimme) (?:me )?a (?:moment|second|sec|minute|tick)|wait a (?:moment|second|sec|minute))";
/** Time to think or to look it up, with little said beside. */
const THINKING = new RegExp(
  `^(?:\\W*\\p{L}[\\p{L}'’]*){0,6}\\W+${PAUSE}(?:\\W+(?:please|there|a sec|now|so))?\\W*$|^\\W*${PAUSE}\\b|\\b(?:i['’]ll|i will|i['’]d|i would|i) (?:(?:just|really|probably) )?(?:(?:have|need|got|want|like) to|must) (?:think|see|check|look|ask)(?: (?:about|over|on) (?:it|that|this)(?: one)?)?\\W*$|^\\W*(?:(?:well|um|uh|hmm|oh|so)\\W+)*let me (?!(?:just )?(?:tell|say|be|put|explain|start|ask)\\b)\\p{L}+\\b(?:\\W+\\p{L}[\\p{L}'’]*){0,8}\\W*$|^\\W*(?:(?:well|um|uh|hmm|oh|so)\\W+)*(?:(?:that['’]s|it['’]s|now that['’]s) )?a (?:good|tough|hard|tricky|difficult) (?:one|question)(?:\\W+(?:that|i|let|give|gotta|got|um|uh|er|hmm)\\b(?:\\W+\\p{L}[\\p{L}'’]*){0,6})?\\W*$|^\\W*(?:i )?(?:have not|haven['’]t|had not|hadn['’]t|never) (?:really |even )?thought (?:about|of) (?:it|that)\\W*$|^\\W*i(?:['’]ll| will) see what i can do\\W*$`,
  "iu",
);

function isStillThinking(text: string): boolean {
  return THINKING.test(text) && plainWords(text).length <= THINKING_WORDS_MAX;
}

const THINKING_WORDS_MAX = 12;

/** A question with "what", "why" or "how" is not answered by a yes or a no. */
function isBareYesNo(text: string, asked: string): boolean {
  const last = askingSentence(asked);
  const isOpen =
    /^\W*(?:(?:and|so|okay|all right|please|great|thanks|thank you|sorry|then)\W+)*(?:\p{L}+ )?(?:what|why|how|where|which|who|when|tell me|please (?:tell|describe|say))\b/iu;
  if (!isOpen.test(last) || /\b(?:any|anything|else)\b/i.test(last)) return false;
  const { clauses } = parseUtterance(text);
  return (
    clauses.some(({ yesNo }) => yesNo.length > 0) &&
    clauses.every(({ tokens, yesNo }) =>
      tokens.every((_, at) => yesNo.some(({ start, end }) => at >= start && at < end)),
    )
  );
}

/** "I could", "I've got": a subject with the beginning of what was to be said of it. */
function isBegun(text: string): boolean {
  return /^\W*(?:(?:well|so|um|uh|oh|and|but)\W+)*(?:i|we|he|she|they|it|you)(?:['’](?:ve|d|ll|m|re|s))?(?: (?:could|can|would|will|should|might|may|must|had|have|has|got|am|was|were|are|is|did|do|just|also|really|already|think|thought|said|mean|guess|suppose)){1,3}\W*$|^\W*(?:an?|the|my|our|his|her) \p{L}+['’]s\W*$/iu.test(
    text,
  );
}

/** "Would they take me if I had a tooth out, or is it too early": what follows the question belongs to it. */
function opensWithQuestion(text: string): boolean {
  const [first, ...rest] = parseUtterance(text).clauses.filter(({ tokens }) => tokens.length > 0);
  const asks = first?.signals.some(
    ({ kind, words }) => kind === "polite_request" || (kind === "question" && words !== "?"),
  );
  const isPart = ({ tokens: [begins], signals }: Clause) =>
    /^(?:because|cause|if|or|since|as|when)$/.test(begins?.text ?? "") ||
    signals.some(({ kind }) => kind === "question");
  return asks === true && rest.every((clause) => isSmall(clause) || isPart(clause));
}

/** "What's your question?" is answered by a question. */
function invitesQuestions(text: string): boolean {
  return /\b(?:(?:any|your|other|more|further|what) (?:\p{L}+ )?questions?|you\b[^.?!]*\bask)\b[^.?!]*\?\s*$/iu.test(
    text,
  );
}

/** A question, a doubt or a sentence that was broken off, where anything else would be an answer. */
function isNoStatement(text: string): boolean {
  const { clauses } = parseUtterance(text);
  const hasKind = ({ signals }: Clause, ...kinds: string[]) => signals.some(({ kind }) => kinds.includes(kind));
  return (
    clauses.length > 0 &&
    clauses.some((clause) => hasKind(clause, "question", "polite_request", "fragment")) &&
    clauses.every(
      (clause) =>
        isSmall(clause) ||
        hasKind(clause, "question", "polite_request", "fragment") ||
        (hasKind(clause, "doubt") && isEmptyDoubt(clause)),
    )
  );
}

/** Whether nothing but questions was said, beside a word or two. */
export function isOnlyQuestions(text: string): boolean {
  const { clauses } = parseUtterance(text);
  const isQuestion = ({ signals }: Clause) =>
    signals.some(({ kind, words }) => kind === "polite_request" || (kind === "question" && words !== "?"));
  return clauses.some(isQuestion) && clauses.every((clause) => isQuestion(clause) || clause.tokens.length < 2);
}

/** Too little to be an answer of its own beside a question. */
function isSmall({ tokens }: Clause): boolean {
  return tokens.length < 4;
}

/** "I'm not sure" says nothing more; "maybe a bit of a rattle" does. */
function isEmptyDoubt(clause: Clause): boolean {
  return unexplainedWords(clause, () => false, NO_WORDS).filter((word) => !DOUBTING.has(word)).length === 0;
}

const NO_WORDS: ReadonlySet<string> = new Set();
const DOUBTING = new Set(
  "not sure know idea maybe perhaps think guess say hard tell really no dunno certain".split(" "),
);

/** "I'm not leaving" to "Why are you leaving?". */
function deniesPremise(text: string, asked: string): boolean {
  if (!/\b(?:why|reason|what made|how come)\b/i.test(asked)) return false;
  const stems = new Set(
    plainWords(asked)
      .filter((word) => /ing$|ed$/.test(word))
      .map(stemOf),
  );
  return parseUtterance(text).clauses.some(({ tokens }) => {
    const denial = tokens.findIndex(
      ({ text: word }, at) => word === "not" && /^(?:am|are|is|i|we)$/.test(tokens[at - 1]?.text ?? ""),
    );
    return denial >= 0 && tokens.slice(denial + 1, denial + 5).some(({ text: word }) => stems.has(stemOf(word)));
  });
}
