import { type SpeechRule, sentenceEnd, WORD_END } from "./speech-rule.ts";

/** What is always said the same. Those with a dot are abbreviations only with it: "no" and "in" are words. */
const FIXED: Readonly<Record<string, string>> = {
  "Mr.": "Mister",
  "Mrs.": "Missus",
  "Ms.": "Miz",
  "Prof.": "Professor",
  "Rev.": "Reverend",
  "Capt.": "Captain",
  "Lt.": "Lieutenant",
  "Sgt.": "Sergeant",
  "Gov.": "Governor",
  "Sen.": "Senator",
  "Rep.": "Representative",
  "Jr.": "Junior",
  "Sr.": "Senior",
  "Ave.": "Avenue",
  "Blvd.": "Boulevard",
  "Rd.": "Road",
  "Ln.": "Lane",
  "Ct.": "Court",
  "Pl.": "Place",
  "Sq.": "Square",
  "Hwy.": "Highway",
  "Pkwy.": "Parkway",
  "Apt.": "Apartment",
  "apt.": "apartment",
  "Ste.": "Suite",
  "Bldg.": "Building",
  "Mt.": "Mount",
  "Ft.": "Fort",
  "Inc.": "Incorporated",
  "Ltd.": "Limited",
  "Co.": "Company",
  "Corp.": "Corporation",
  "Dept.": "Department",
  "dept.": "department",
  "Assn.": "Association",
  "appt.": "appointment",
  "approx.": "approximately",
  "est.": "established",
  "max.": "maximum",
  "min.": "minimum",
  "misc.": "miscellaneous",
  "incl.": "including",
  "excl.": "excluding",
  "etc.": "et cetera",
  "e.g.": "for example",
  "i.e.": "that is",
  "vs.": "versus",
  "a.m.": "A M",
  "p.m.": "P M",
  "U.S.": "U S",
  "U.S.A.": "U S A",
  "U.K.": "U K",
  "E.U.": "E U",
  "P.O.": "P O",
  ASAP: "as soon as possible",
  AM: "A M",
  PM: "P M",
  ID: "I D",
  IDs: "I Ds",
  US: "U S",
  USA: "U S A",
  UK: "U K",
  EU: "E U",
  IP: "I P",
  PO: "P O",
};

/** What depends on its neighbours. The first match is said. */
const BY_CONTEXT: readonly SpeechRule[] = [
  // "Elm Dr." and "42 Elm Dr, Springfield" are streets; "Dr. Lee" is a person.
  {
    pattern: new RegExp(`Dr\\.?${WORD_END}`, "y"),
    say: ({ groups, before, after }) =>
      isStreetEnd(before, after) ? `Drive${ending(groups, after)}` : /^\s+[A-Z]/.test(after) ? "Doctor" : null,
  },
  {
    pattern: new RegExp(`St\\.?${WORD_END}`, "y"),
    say: ({ groups, before, after }) =>
      isStreetEnd(before, after) ? `Street${ending(groups, after)}` : /^\s+[A-Z]/.test(after) ? "Saint" : null,
  },
  { pattern: /No\.(?=\s?\d)/iy, say: () => "number" },
  { pattern: /#(?=\d)/y, say: () => "number " },
  { pattern: /[Ee]xt\.?(?=\s?\d)/y, say: () => "extension" },
  { pattern: /w\/o(?![A-Za-z])/y, say: () => "without" },
  { pattern: /w\/\s?(?=[A-Za-z])/y, say: () => "with " },
  { pattern: /~\s?(?=[\d$€£])/y, say: () => "about " },
];

const LONGEST_FIRST = Object.keys(FIXED).sort((a, b) => b.length - a.length);

export const ABBREVIATIONS: readonly SpeechRule[] = [
  ...BY_CONTEXT,
  {
    pattern: new RegExp(`(${LONGEST_FIRST.map((short) => short.replaceAll(".", "\\.")).join("|")})${WORD_END}`, "y"),
    say: ({ groups, after }) => {
      const [short = ""] = groups;
      return `${FIXED[short] ?? short}${isTitle(short) ? "" : sentenceEnd(short, after)}`;
    },
  },
];

/** After the name of a street, and not before the name of a person. */
function isStreetEnd(before: string, after: string): boolean {
  const followsName = /[A-Z][a-z]+ $/.test(before) || /\d(?:st|nd|rd|th) $/.test(before);
  const isHouse = /\d+[A-Za-z]? (?:[NSEW]\.? )?(?:[A-Z][a-z]+ )+$/.test(before);
  return followsName && (isHouse || !/^\s+[A-Z]/.test(after));
}

/** What stands before a name, so that the capital letter after it begins no sentence. */
function isTitle(short: string): boolean {
  return /^(?:Mr|Mrs|Ms|Prof|Rev|Capt|Lt|Sgt|Gov|Sen|Rep|Mt|Ft|U\.S|U\.K|E\.U|P\.O|vs)\.$/.test(short);
}

function ending(groups: readonly (string | undefined)[], after: string): string {
  return sentenceEnd(groups[0] ?? "", after);
}
