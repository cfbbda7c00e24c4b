/** What becomes of a node's wish for a language model, in words: who is asked, and who when that one cannot answer. */
export function askedModels(names: readonly string[], wished: string | undefined): string {
  const [first] = names;
  if (first === undefined) return "";
  if (wished !== undefined && !names.includes(wished)) return `It is not set up. Calls ask ${first} in its place.`;
  const asked = wished ?? first;
  const others = names.filter((name) => name !== asked);
  if (others.length === 0) return "It is the only one that is set up.";
  return `When it fails or says nothing in time: ${others.join(", then ")}.`;
}
