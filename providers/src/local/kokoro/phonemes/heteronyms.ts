interface Heteronym {
  /** As a thing, or as what something is like. */
  readonly noun: string;
  /** As what somebody does. */
  readonly verb: string;
}

/** Words that are spelled alike and said differently, as they occur on the telephone. */
const HETERONYMS: Readonly<Record<string, Heteronym>> = {
  close: { noun: "K L OW1 S", verb: "K L OW1 Z" },
  conduct: { noun: "K AA1 N D AH0 K T", verb: "K AH0 N D AH1 K T" },
  content: { noun: "K AA1 N T EH0 N T", verb: "K AH0 N T EH1 N T" },
  contract: { noun: "K AA1 N T R AE2 K T", verb: "K AH0 N T R AE1 K T" },
  estimate: { noun: "EH1 S T AH0 M AH0 T", verb: "EH1 S T AH0 M EY2 T" },
  excuse: { noun: "IH0 K S K Y UW1 S", verb: "IH0 K S K Y UW1 Z" },
  increase: { noun: "IH1 N K R IY2 S", verb: "IH0 N K R IY1 S" },
  lead: { noun: "L IY1 D", verb: "L IY1 D" },
  live: { noun: "L AY1 V", verb: "L IH1 V" },
  minute: { noun: "M IH1 N AH0 T", verb: "M IH1 N AH0 T" },
  object: { noun: "AA1 B JH EH0 K T", verb: "AH0 B JH EH1 K T" },
  permit: { noun: "P ER1 M IH2 T", verb: "P ER0 M IH1 T" },
  present: { noun: "P R EH1 Z AH0 N T", verb: "P R IY0 Z EH1 N T" },
  project: { noun: "P R AA1 JH EH0 K T", verb: "P R AH0 JH EH1 K T" },
  read: { noun: "R EH1 D", verb: "R IY1 D" },
  record: { noun: "R EH1 K ER0 D", verb: "R AH0 K AO1 R D" },
  refund: { noun: "R IY1 F AH0 N D", verb: "R IH0 F AH1 N D" },
  refuse: { noun: "R EH1 F Y UW2 Z", verb: "R AH0 F Y UW1 Z" },
  separate: { noun: "S EH1 P ER0 AH0 T", verb: "S EH1 P ER0 EY2 T" },
  subject: { noun: "S AH1 B JH IH0 K T", verb: "S AH0 B JH EH1 K T" },
  use: { noun: "Y UW1 S", verb: "Y UW1 Z" },
  wind: { noun: "W IH1 N D", verb: "W AY1 N D" },
};

/** After these somebody does something: "to record", "please confirm". */
const BEFORE_VERBS = new Set(
  "to will would can could shall should may might must please do does did not don't didn't i you we they who let's and".split(
    " ",
  ),
);

/** Said as the words before it suggest; null when there is only one way to say it. */
export function heteronymAfter(word: string, before: string | null): string | null {
  if (!Object.hasOwn(HETERONYMS, word)) return null;
  const known = HETERONYMS[word];
  if (known === undefined) return null;
  // A sentence that begins with such a word is a request: "Use the keys of your phone."
  return before === null || BEFORE_VERBS.has(before) ? known.verb : known.noun;
}
