import { joinedAsIn, plainWords } from "./plain-words.ts";

/** How many words of a text were misunderstood, regardless of spelling. */
export function textErrors(said: string, heard: string): number {
  const [one, other] = [plainWords(said), plainWords(heard)];
  return wordErrors(joinedAsIn(one, other), joinedAsIn(other, one));
}

/** How many words must be inserted, removed or changed to turn one text into the other. */
function wordErrors(said: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index);
  said.forEach((word, index) => {
    const next = [index + 1];
    heard.forEach((other, at) => {
      const changed = (row[at] as number) + (word === other ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    });
    row = next;
  });
  return row.at(-1) ?? 0;
}
