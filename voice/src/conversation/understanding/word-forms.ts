/** Words that mean the same wherever a flow offers one of them: "another date" is "another day". */
const SAME: Readonly<Record<string, string>> = { date: "day", dates: "days" };

/** Forms of a word count as the word: "canceling" is "cancel". Short words must be the same. */
export function isSameWord(said: string, wanted: string): boolean {
  if (said === wanted || (SAME[said] ?? said) === (SAME[wanted] ?? wanted)) return true;
  return wanted.length > 3 && stemOf(said) === stemOf(wanted);
}

export function stemOf(word: string): string {
  const stem = word.replace(/(?:ing|ed|es|s|lation)$/, "").replace(/e$/, "");
  return stem.length < 3 ? word : stem.replace(/(.)\1$/, "$1").replace(/our/g, "or");
}
