/** Forms of a word count as the word: "canceling" is "cancel". Short words must be the same. */
export function isSameWord(said: string, wanted: string): boolean {
  return said === wanted || (wanted.length > 3 && stemOf(said) === stemOf(wanted));
}

export function stemOf(word: string): string {
  const stem = word.replace(/(?:ing|ed|es|s|lation)$/, "").replace(/e$/, "");
  return stem.length < 3 ? word : stem.replace(/(.)\1$/, "$1").replace(/our/g, "or");
}
