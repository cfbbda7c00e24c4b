const CHARS_MAX = 200;

/** Adds the lines of a text to the phrases. Those that are there already, in whatever case, are not added again. */
export function addPhrases(phrases: readonly string[], text: string, max: number): readonly string[] {
  const known = new Set(phrases.map(plain));
  const added: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const phrase = line.trim().replaceAll(/\s+/g, " ").slice(0, CHARS_MAX);
    if (phrase === "" || known.has(plain(phrase))) continue;
    known.add(plain(phrase));
    added.push(phrase);
  }
  return [...phrases, ...added].slice(0, max);
}

function plain(phrase: string): string {
  return phrase.trim().toLowerCase();
}
