import type { Clause } from "../parse-utterance.ts";
import { plainTokens } from "../plain-words.ts";
import { stemOf } from "../word-forms.ts";

/**
 * What is said around a value. A day, a time or a number answers a question if it stands alone or in a sentence that offers
 * it ("I could come at four"); in other sentences it belongs to something else ("the wedding is at four").
 */

/** Words of sentences that offer a value, whatever it is a value of. */
const OFFERING = words(`
  a an the i we you it that this there us me he she they him her them my our your mine and or so then but as
  am is are be was were do does did have has had can could will would shall should may might must not no
  going got get gets make makes made say says said saying let us put take takes taking give gives go goes going come comes coming
  like liked love prefer want wanted wants need needs try think guess suppose reckon believe imagine hope mean meant expect plan planning aim aiming
  choose chose pick select opt settle stick keep book booked suit suits suited fit fits work works do does done manage make arrange set
  happy glad free open available able possible possibly best better earliest latest good great fine okay ok right perfect ideal lovely nice grand easier easiest convenient
  on at in by for to of from with around about near roughly approximately maybe probably perhaps just only exactly precisely definitely certainly likely really
  yes yeah yep no well um uh er erm oh ah hmm please sorry thanks okay sure actually instead rather again even still too also anyway any some
  what which one other else something anything time day date hour week month next coming this following early late later earlier sooner
  morning afternoon evening night tonight today tomorrow noon o'clock am pm half quarter past sharp
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
  first second third fourth fifth last sixth seventh eighth ninth tenth
  eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirty-first
  if possible here home house show turn see meet hear hold here's answer number
  bring collect fetch pay send pop swing over round bang dot straight all always usually when where now how than till until before after between either both neither nor more less most least
  off thing things why mid high wait hang hold call single solid party total altogether reads shows
  wife husband partner son daughter mother father mom mum dad sister brother friend kids aunt uncle cousin grandson granddaughter gran grandma grandpa grandmother grandfather mate colleague boss neighbor flatmate roommate girlfriend boyfriend
  one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
  d ll s m re ve`);
/** Where a new statement begins within a clause: what is said before it explains the value and does not hold it. */
const CONNECTIVE = /\b(?:so|then|therefore|hence|rather|better|instead|because|but)\b/gi;

/** What a value can be said to be when it is the answer: "Friday is fine". */
const PREDICATES = words(`
  good fine great grand okay ok all right perfect ideal best better lovely nice brilliant excellent super wonderful easier easiest convenient possible free open wide clear available doable
  the my our a an it that what when one day only right enough correct cool sound handy more most much quite really very probably always definitely about still also just absolutely pretty totally completely
  for with by me us you fit suit work do be is would will could should can going to make not no plenty yes`);

/** The words of the clause that holds a value which do not offer it. */
export function foreignWords(
  { tokens }: Clause,
  text: string,
  value: { readonly start: number; readonly end: number },
  /** Where what was said of an earlier value ends. */
  from: number,
  asked: string,
): string[] {
  const explained = new Set(plainTokens(asked).map((word) => stemOf(word.text)));
  const isForeign = (word: string) => !OFFERING.has(word) && !explained.has(stemOf(word)) && !/\d/.test(word);
  const connective = [...text.slice(0, value.start).matchAll(CONNECTIVE)].at(-1)?.index ?? 0;
  const before = tokens.filter(({ start, end }) => start >= Math.max(from, connective) && end <= value.start);
  return [...before.map((word) => word.text).filter(isForeign), ...predicateOf(tokens, text, value.end, isForeign)];
}

const IS = /^\s*(?:['’]s\b|(?:is|are|was|were|will be|would be)\b)\s*/i;

/** What a value is said to be: "Friday's the wake". */
function predicateOf(
  tokens: Clause["tokens"],
  text: string,
  end: number,
  isForeign: (word: string) => boolean,
): string[] {
  const verb = IS.exec(text.slice(end));
  if (verb === null) return [];
  const [first, second] = tokens
    .filter(({ start }) => start >= end + verb[0].length)
    .map((word) => word.text)
    .filter((word) => !/^(?:the|a|an|my|our|is|are|be)$/.test(word));
  const foreign = [first, second].find((word) => word !== undefined && !PREDICATES.has(word));
  return first !== undefined && !PREDICATES.has(first) && foreign !== undefined && isForeign(foreign) ? [foreign] : [];
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
