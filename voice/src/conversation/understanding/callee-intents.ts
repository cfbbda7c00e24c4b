import { withoutFillers } from "./plain-words.ts";

/** What a callee may want at any question, beside answering it. */
export type CalleeIntent =
  | "stop_calling"
  | "repeat"
  | "anybody_there"
  | "wait"
  | "who_calls"
  | "is_machine"
  | "human"
  | "goodbye";

const PERSON =
  "(?:human|human being|person|somebody|someone|agent|representative|operator|manager|supervisor|employee|colleague|receptionist|clerk)";
const SOME_PERSON = `(?:(?:a|an|the|some|your|another) )?(?:(?:real|live|actual|human) )?${PERSON}(?: (?:else|there|real))?`;
const MAY_I =
  "(?:(?:can|could|may) (?:i|you|we) |i (?:would like|want|need|prefer|have|wish) (?:to )?|i would rather |let me |you )?";

/**
 * In order: the first that fits is taken. All but the first must be everything that was said, because the same words
 * within an answer mean something else: "the human at the desk was friendly".
 */
const RULES: readonly (readonly [intent: CalleeIntent, pattern: RegExp])[] = [
  [
    "stop_calling",
    /\b(?:stop|quit) (?:calling|phoning|ringing|contacting|bothering|harassing)(?: (?:me|us|here|this number)\b|$| my)|\b(?:do not|never) (?:ever )?(?:call|phone|ring|contact|bother)(?: (?:me|us|here|this number|my number))?(?: ever)? (?:again|any more|any longer|ever)\b|\bnever (?:call|phone|contact) (?:me|us|here|this number)\b|\b(?:take|remove|delete|get|strike) (?:me|us|my number|this number|my name) (?:off|from|out of)\b|\bdo not call (?:list|register)\b|\bunsubscribe\b|\bno more (?:of these )?calls\b/,
  ],
  [
    "repeat",
    /^(?:i am )?(?:sorry )?(?:but )?(?:what|huh|pardon|pardon me|excuse me|come again|say again|again|repeat|sorry|i beg your pardon|beg your pardon|what was (?:that|the question)|what is (?:that|the question)|what did you (?:say|ask)|what are you (?:saying|asking)|what do you mean|one more time|once more|(?:(?:can|could|would|will) you )?(?:repeat|say) (?:that|it|this|the question|yourself)?(?: ?again| ?once more| ?one more time)?|(?:can|could|would) you repeat|i (?:did not|do not|can not|could not) (?:hear|catch|get|understand|follow)(?: (?:you|that|it|a word|what you said|the question|what you mean))?(?: (?:properly|well|correctly))?|(?:can|could) you speak (?:up|slower|more slowly|louder|slowly)|slower|louder|speak up)(?: again| sorry)?$/,
  ],
  [
    "anybody_there",
    /^(?:(?:hello|hallo|hi|hey) )*(?:hello|hallo|hi|hey|are you (?:still )?there|is (?:anybody|anyone|somebody|someone) there|anybody there|can you hear me|do you hear me|you there)$/,
  ],
  [
    "wait",
    /^(?:okay )?(?:(?:wait|hold on|hang on|hold the line|bear with me)(?: (?:a|one) (?:moment|minute|second|sec))?|(?:give me )?(?:a|one) (?:moment|minute|second|sec)|let me (?:check|see|look|think)(?: (?:my calendar|that|it))?)$/,
  ],
  [
    "who_calls",
    /^(?:(?:sorry|hello|yes|okay|and) )*(?:(?:may|can) i ask )?(?:who is (?:this|that|it|calling|speaking|there)|who are you|who am i (?:speaking|talking) (?:to|with)|where are you (?:calling )?from|what is (?:this|it|the call) (?:about|regarding|call about)|what is this|why (?:are you calling|do you call)(?: me)?|what do you want|(?:what|which) company(?: is this)?)(?: again)?$/,
  ],
  [
    "is_machine",
    /^(?:sorry )?(?:wait )?(?:are you|is this|am i (?:talking|speaking) (?:to|with))(?: (?:a|an))?(?: (?:real|actual))? (?:robot|bot|machine|computer|recording|human|person|ai|a i|automated|automated (?:call|system|voice)|artificial intelligence)(?: or (?:what|a (?:human|person|robot|machine)))?$/,
  ],
  [
    "human",
    new RegExp(
      `^(?:(?:no|okay|yes|hello|sorry) )*(?:${MAY_I}(?:speak|talk|be connected|be transferred|get) (?:to|with|me to|me through to)? ?${SOME_PERSON}|${MAY_I}(?:connect|transfer|put|pass) me (?:through |over |on )?(?:to|with) ${SOME_PERSON}|(?:give|get) me ${SOME_PERSON}|${SOME_PERSON})$`,
    ),
  ],
  [
    "goodbye",
    /^(?:(?:okay|all right|no|sorry|yes|great) )*(?:good ?bye|bye|bye bye|see you(?: later)?|i (?:have|need|must|got|have got|am going) ?(?:to )?(?:go|run|leave|hang up)(?: bye)?|i am hanging up|talk to you later)$/,
  ],
];

/** Which of several intents in one utterance is followed: "hold on, say that again" wants to hear it again. */
const PRECEDENCE: readonly CalleeIntent[] = ["human", "goodbye", "who_calls", "is_machine", "repeat"];
/** More words than these are not a row of short requests, and are not looked through for them. */
const ROW_WORDS_MAX = 24;

/** What the callee wants beside answering the question, or null. */
export function findIntent(words: readonly string[]): CalleeIntent | null {
  const bare = withoutFillers(words);
  if (ruleFor("stop_calling")?.test(words.join(" "))) return "stop_calling";
  return intentOf(bare) ?? intentOfRow(bare);
}

function intentOf(words: readonly string[]): CalleeIntent | null {
  const text = words.join(" ");
  return RULES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

function ruleFor(intent: CalleeIntent): RegExp | undefined {
  return RULES.find(([name]) => name === intent)?.[1];
}

/** Several requests in a row and nothing else: "wait a moment, what is this about?" */
function intentOfRow(words: readonly string[]): CalleeIntent | null {
  if (words.length > ROW_WORDS_MAX) return null;
  // What the words up to each place want, or null where they are not only requests.
  const upTo: (readonly CalleeIntent[] | null)[] = [[]];
  for (let end = 1; end <= words.length; end += 1) {
    upTo.push(null);
    for (let start = 0; start < end && upTo[end] === null; start += 1) {
      const before = upTo[start];
      const intent = before ? intentOf(words.slice(start, end)) : null;
      if (before && intent !== null) upTo[end] = [...before, intent];
    }
  }
  const wanted = upTo[words.length] ?? [];
  return PRECEDENCE.find((intent) => wanted.includes(intent)) ?? wanted.at(-1) ?? null;
}
