import { pairWords } from "./dates.ts";
import { cardinalWords, digitWords } from "./number-words.ts";
import { type SpeechRule, sentenceEnd, WORD_END } from "./speech-rule.ts";

const DIRECTIONS: Readonly<Record<string, string>> = {
  N: "North",
  S: "South",
  E: "East",
  W: "West",
  NE: "Northeast",
  NW: "Northwest",
  SE: "Southeast",
  SW: "Southwest",
};
const DIRECTION = "(NE|NW|SE|SW|[NSEW])";

const STREETS: Readonly<Record<string, string>> = {
  St: "Street",
  Ave: "Avenue",
  Av: "Avenue",
  Rd: "Road",
  Dr: "Drive",
  Ln: "Lane",
  Blvd: "Boulevard",
  Ct: "Court",
  Pl: "Place",
  Sq: "Square",
  Ter: "Terrace",
  Cir: "Circle",
  Pkwy: "Parkway",
  Hwy: "Highway",
};
const STREET = `(?:${Object.keys(STREETS).join("|")}|Street|Avenue|Road|Drive|Lane|Boulevard|Court|Place|Square|Terrace|Circle|Parkway|Highway|Way)`;
/** The name of a street, which may be a number: "Main", "Martin Luther King", "34th". */
const NAME = "(?:St\\. )?(?:[A-Z][A-Za-z'’]+|\\d+(?:st|nd|rd|th))(?: [A-Z][A-Za-z'’]+){0,2}";

/** The states of the United States and its capital, as they stand before a ZIP code. */
const STATES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC D C,FL Florida,GA Georgia,HI Hawaii,ID Idaho," +
    "IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi," +
    "MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio," +
    "OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia," +
    "WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming"
  )
    .split(",")
    .map((entry) => [entry.slice(0, 2), entry.slice(3)]),
);

/** Addresses as they are written on letters. */
export const ADDRESSES: readonly SpeechRule[] = [
  // The number of a house: "221B Baker", "15 W 34th", "1600 Pennsylvania".
  {
    pattern: new RegExp(`(\\d{1,5})([A-Z])?(?: ${DIRECTION}\\.?)?(?= ${NAME} ${STREET}\\b)`, "y"),
    say: ({ groups: [, number = "", letter, direction] }) =>
      [houseWords(number), letter, direction === undefined ? undefined : DIRECTIONS[direction]]
        .filter(Boolean)
        .join(" "),
  },
  // The rest of the street: "Main St.", "5th Ave NW".
  {
    pattern: new RegExp(
      `(${Object.keys(STREETS)
        .filter((short) => short !== "St" && short !== "Dr")
        .join("|")})(\\.)?(?: ${DIRECTION}(?![A-Za-z.]))?${WORD_END}`,
      "y",
    ),
    say: ({ groups: [written = "", short = "", , direction], before, after }) => {
      const isStreet = /(?:[A-Z][a-z'’]+|\d(?:st|nd|rd|th)) $/.test(before) || (short === "Hwy" && /^ \d/.test(after));
      if (!isStreet) return null;
      const words = [STREETS[short], direction === undefined ? undefined : DIRECTIONS[direction]]
        .filter(Boolean)
        .join(" ");
      return words + sentenceEnd(written, after);
    },
  },
  {
    pattern: new RegExp(`(\\d{1,5})([A-Z])${WORD_END}`, "y"),
    say: ({ groups: [, number = "", letter = ""], before }) =>
      /(?:\b(?:apt|apartment|unit|suite|ste|room|rm|gate|seat|flat)\.? |#)$/i.test(before)
        ? `${houseWords(number)} ${letter}`
        : null,
  },
  {
    pattern: new RegExp(`(${Object.keys(STATES).join("|")})\\.?,? (\\d{5})(?:-(\\d{4}))?${WORD_END}`, "y"),
    say: ({ groups: [, state = "", zip = "", more] }) =>
      `${STATES[state]}, ${digitWords(zip)}${more === undefined ? "" : `, ${digitWords(more)}`}`,
  },
  {
    pattern: /(P\.?O\.? Box) (\d{1,6})(?![A-Za-z0-9])/y,
    say: ({ groups }) => `P O Box ${digitWords(groups[2] ?? "")}`,
  },
  // Interstates: "I-95".
  { pattern: /I-(\d{1,3})(?![A-Za-z0-9])/y, say: ({ groups }) => `I ${houseWords(groups[1] ?? "")}` },
  { pattern: /Fl\. ?(?=\d)/y, say: () => "floor " },
  { pattern: /[Bb]ldg\. ?(?=\S)/y, say: () => "building " },
  { pattern: /Attn(?=:|\.? )\.?/y, say: () => "Attention" },
  { pattern: /c\/o(?= )/y, say: () => "care of" },
];

/** Up to two digits as a number, more in pairs: "two twenty-one", "twelve hundred", "one oh one". */
function houseWords(number: string): string {
  const value = Number(number);
  if (number.startsWith("0") || number.length > 4) return digitWords(number);
  if (number.length < 3) return cardinalWords(value);
  if (value % 100 !== 0) return pairWords(value);
  return value % 1000 === 0 ? cardinalWords(value) : `${cardinalWords(value / 100)} hundred`;
}
