/** Small words, which people say without stress. In the phones of the CMU dictionary. */
const WEAK_WORDS: Readonly<Record<string, string>> = {
  a: "AH0",
  am: "AE0 M",
  an: "AH0 N",
  and: "AE0 N D",
  are: "AA0 R",
  as: "AE0 Z",
  at: "AE0 T",
  be: "B IY0",
  been: "B IH0 N",
  but: "B AH0 T",
  by: "B AY0",
  can: "K AE0 N",
  could: "K UH0 D",
  do: "D UW0",
  for: "F AO0 R",
  from: "F R AH0 M",
  had: "HH AE0 D",
  has: "HH AE0 Z",
  have: "HH AE0 V",
  he: "HH IY0",
  her: "HH ER0",
  him: "HH IH0 M",
  his: "HH IH0 Z",
  if: "IH0 F",
  in: "IH0 N",
  is: "IH0 Z",
  it: "IH0 T",
  my: "M AY0",
  of: "AH0 V",
  on: "AA0 N",
  or: "AO0 R",
  our: "AW0 ER0",
  she: "SH IY0",
  so: "S OW0",
  some: "S AH0 M",
  than: "DH AE0 N",
  that: "DH AE0 T",
  the: "DH AH0",
  them: "DH EH0 M",
  they: "DH EY0",
  this: "DH IH0 S",
  to: "T AH0",
  was: "W AH0 Z",
  we: "W IY0",
  were: "W ER0",
  will: "W IH0 L",
  with: "W IH0 DH",
  would: "W UH0 D",
  you: "Y UW0",
  your: "Y AO0 R",
};

/** Before a vowel these are said in full: "the end", "to ask". */
const BEFORE_VOWELS: Readonly<Record<string, string>> = { the: "DH IY0", to: "T UW0" };

/** At the end of a phrase, or alone, a small word is said in full, and the dictionary knows how. */
export function weakForm(word: string, next: { readonly beginsWithVowel: boolean } | null): string | null {
  if (next === null || !Object.hasOwn(WEAK_WORDS, word)) return null;
  return (next.beginsWithVowel ? BEFORE_VOWELS[word] : undefined) ?? WEAK_WORDS[word] ?? null;
}
