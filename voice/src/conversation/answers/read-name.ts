import { findSpelling } from "../../text/from-speech/find-spelling.ts";

/** What people say before their name. */
const LEAD_IN =
  /^.*\b(?:name is|name's|name would be|call me|it is|it's|this is|i am|i'm|that is|that's|speaking with|you have|here is)\s+/i;
const OPENING = /^(?:(?:yes|yeah|yep|sure|okay|ok|of course|um|uh|er|well|oh|hello|hi|so)[\s,.]+)+/i;
const CLOSING = /[\s,.]+(?:please|speaking|here|thanks|thank you|sir|madam)[\s.!]*$/i;
const BEFORE_SPELLING =
  /[\s,.]*\b(?:(?:it is |it's |which is |that is |that's )?(?:spelled|spelt)|that is|that's|it's)[\s,:]*$/i;
/** Nobody is called that. */
const NO_NAME = /\b(?:not|don't|won't|can't|why|who|what|how|when|where|do|does|want|tell|say|know|you|your)\b/i;
const WORDS_MAX = 5;

/** The name in an answer to "What is your name?", with what was spelled put in its place. Null when there is none. */
export function readName(text: string): string | null {
  const spelled = findSpelling(text);
  const said = spelled === null ? text : text.slice(0, spelled.start).replace(BEFORE_SPELLING, "");
  const name = said.replace(OPENING, "").replace(LEAD_IN, "").replace(CLOSING, "");
  const words = name.split(/\s+/).flatMap((word) => word.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "") || []);
  if (spelled === null && (words.length === 0 || words.length > WORDS_MAX || NO_NAME.test(name))) return null;
  const capitals = words.slice(0, WORDS_MAX).map(withCapital);
  return spelled === null ? capitals.join(" ") : withSpelling(capitals, withCapital(spelled.value.toLowerCase()));
}

/** What is spelled is the way to write the word that begins so; otherwise it comes after what was said. */
function withSpelling(words: readonly string[], spelled: string): string {
  const at = words.findLastIndex((word) => word[0] === spelled[0]);
  return (at < 0 ? [...words, spelled] : words.with(at, spelled)).join(" ");
}

function withCapital(word: string): string {
  return word
    .split(/(?<=[-'])/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}
