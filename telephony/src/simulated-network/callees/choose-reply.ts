import type { CalleeGoal } from "./goals.ts";

/** What a person answers. */
export type Reply =
  | { readonly does: "says"; readonly text: string; readonly thenHangsUp: boolean }
  | { readonly does: "presses"; readonly keys: string }
  | { readonly does: "repeats" }
  /** More is to come. */
  | { readonly does: "waits" };

interface Rule {
  readonly when: RegExp;
  readonly text: string;
}

export const GOODBYE_LINE = "Thank you. Goodbye.";

const ONLY_HELLO = /^(hello|hallo|hi|hey|good (morning|afternoon|evening)),?( [a-z]+)?[.,!?]*$/;
const FAREWELL = /\b(good ?-?bye|bye|have a (good|nice|great|lovely) (day|one|evening|weekend)|take care)\b/;
const PLEASE_REPEAT = /\b(repeat|say (that|it) again|did(n't| not) (get|catch|hear|understand) (that|you|it)|pardon)\b/;
const PRESS = /\bpress(?:ing)? (?:the )?(?:key |number |button )?(\d|[a-z]+)\b/;

const KEYS: Readonly<Record<string, string>> = {
  zero: "0",
  one: "1",
  won: "1",
  two: "2",
  to: "2",
  three: "3",
  four: "4",
  for: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
  star: "*",
  pound: "#",
  hash: "#",
};

/** In order of precedence: the more a question says about itself, the earlier it is asked for. */
const RULES: readonly Rule[] = [
  { when: /\b(can|do) you (still )?hear me\b/, text: "Yes, I can hear you." },
  { when: /\b(still there|anybody there|anyone there|still on the line)\b/, text: "Yes, I am still here." },
  { when: /\bhow are you\b/, text: "I am fine, thank you." },
  // "On Friday", said on a Friday, is today or in a week.
  { when: /\b(did you say|which one is it)\b.*\bor\b/, text: "The first one." },
  { when: /\b(is that|that's|that) (right|correct|okay|ok|true)\b|^so,? that( is|'s)\b/, text: "Yes, that is right." },
  { when: /\b(good time|a moment|a minute|ask you|few questions|short questions)\b/, text: "Yes, of course." },
  { when: /\b(speaking (with|to)|is this|is that|talking to|am i through)\b/, text: "Yes, speaking." },
  { when: /\b(your|full|first|last) name\b/, text: "My name is Alex Miller." },
  { when: /\be-?mail\b/, text: "It is alex at example dot com." },
  { when: /\b(phone|call ?back|mobile) number\b/, text: "Five five five, zero one zero zero." },
  { when: /\b(date of birth|birthday|born)\b/, text: "The third of May, nineteen eighty." },
  { when: /\b(address|postcode|zip)\b/, text: "Twelve Mill Lane." },
  { when: /\b(zero|nought|one|0|1) (to|and|through) (ten|10)\b/, text: "Nine." },
  { when: /\b(one|1) (to|and|through) (five|5)\b/, text: "Four." },
  { when: /\b(scale|rate|rating|how satisfied|how likely|how happy)\b/, text: "Four." },
  { when: /\b(at )?what time\b|\bwhich time\b|\bwhat hour\b/, text: "At ten in the morning." },
  { when: /\bneighbou?r may\b|\bwhich neighbou?r\b/, text: "Mrs. Brown, next door." },
  { when: /\bwhere (may|should|can|shall)\b/, text: "At the door, please." },
  {
    when: /\b(until )?(which|what) (day|days|date|they)\b|\bwhen (would|will|can|could|should|do)\b/,
    text: "On Friday.",
  },
  { when: /\bhow (many|old|often|long)\b/, text: "Two." },
  { when: /\bhow much\b/, text: "About twenty." },
  { when: /\b(paid|pay soon|more time)\b/, text: "I will pay soon." },
  { when: /\bdo you really want to cancel\b/, text: "No, please do not cancel it." },
  { when: /\b(another day|or cancel|will come|you come|appointment|be coming|confirm)\b/, text: "Yes, I will come." },
  { when: /\b(someone|somebody|anyone) (be )?(there|home|at home)\b|\bat home\b/, text: "Yes, someone will be there." },
  { when: /\b(deliver|delivery|delivered|parcel|package)\b/, text: "Yes, that suits me." },
  { when: /\b(payment|invoice|bill)\b/, text: "Yes, I will pay it this week." },
  { when: /\brecommend\b/, text: "Yes, I would." },
  { when: /\b(like|liked|enjoy|enjoyed) (the )?(best|most)\b/, text: "The people were very friendly." },
  { when: /\b(went wrong|do better|improve|improved)\b/, text: "It took rather long." },
  { when: /\bwho\b/, text: "This is Alex Miller." },
  { when: /\bwhy\b/, text: "I am not sure why." },
];

/** "Would you ...", "Are you ...": a question that yes answers. */
const YES_NO =
  /(^|[.!?,] )(so |and |then |well |now )?(do|does|did|are|is|was|were|can|could|will|would|have|has|had|shall|should|may|might)(n't)? (you|i|we|it|this|that|there|the|your|someone)\b/;
const OPEN_QUESTION = /\b(what|which|where|when|how|why|tell me|describe)\b/;
const YES_LINE = "Yes, please.";
const UNSURE_LINE = "I am not sure about that.";
const OKAY_LINE = "All right.";

/** Used in turn where nothing was understood. An answer would be one to a question that was not heard. */
const MISHEARD_LINES = ["Sorry, can you say that again?", "I am sorry, I still did not understand you."] as const;
const CANNOT_UNDERSTAND_LINE = "I cannot understand you. Goodbye.";

export const REPLY_LINES: readonly string[] = [
  ...new Set([
    ...RULES.map(({ text }) => text),
    ...MISHEARD_LINES,
    CANNOT_UNDERSTAND_LINE,
    YES_LINE,
    UNSURE_LINE,
    OKAY_LINE,
    GOODBYE_LINE,
  ]),
];

/**
 * What a person answers to the agent's words: by its own goals where they are asked about, else politely.
 * `missesBefore` counts how often in a row it has not understood before: it asks again a few times, and then hangs up.
 */
export function chooseReply(words: string | null, missesBefore: number, goals: readonly CalleeGoal[] = []): Reply {
  const heard = (words ?? "").toLowerCase().replaceAll("’", "'").trim();
  if (heard === "") {
    const line = MISHEARD_LINES[missesBefore];
    return line === undefined ? { does: "says", text: CANNOT_UNDERSTAND_LINE, thenHangsUp: true } : says(line);
  }
  if (ONLY_HELLO.test(heard)) return { does: "waits" };
  if (FAREWELL.test(heard)) return { does: "says", text: GOODBYE_LINE, thenHangsUp: true };
  // The last sentence needs the answer; earlier ones are considered only when it yields nothing.
  const last = lastSentence(heard);
  const wished = wishIn(last, goals);
  if (wished !== null) return wished;
  const key = keyIn(heard);
  if (key !== null) return wishIn(heard, goals) ?? { does: "presses", keys: key };
  const rule = RULES.find(({ when }) => when.test(last));
  if (rule !== undefined) return says(rule.text);
  if (PLEASE_REPEAT.test(heard)) return { does: "repeats" };
  const wishedBefore = wishIn(heard, goals);
  if (wishedBefore !== null) return wishedBefore;
  if (YES_NO.test(last)) return says(YES_LINE);
  const earlier = RULES.find(({ when }) => when.test(heard));
  if (earlier !== undefined) return says(earlier.text);
  return says(OPEN_QUESTION.test(last) ? UNSURE_LINE : OKAY_LINE);
}

function says(text: string): Reply {
  return { does: "says", text, thenHangsUp: false };
}

function wishIn(heard: string, goals: readonly CalleeGoal[]): Reply | null {
  const does = goals.find(({ when }) => when.test(heard))?.does;
  if (does === undefined) return null;
  return "keys" in does ? { does: "presses", keys: does.keys } : says(does.text);
}

function keyIn(heard: string): string | null {
  const named = PRESS.exec(heard)?.[1];
  if (named === undefined) return null;
  return /^\d$/.test(named) ? named : (KEYS[named] ?? null);
}

function lastSentence(heard: string): string {
  const sentences = heard.split(/(?<=[.?!])\s+/).filter((sentence) => sentence !== "");
  return sentences.at(-1) ?? heard;
}
