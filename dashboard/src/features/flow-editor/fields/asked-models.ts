/** What becomes of a node's wish for a language model, in words: who is asked, and who when that one cannot answer. */
export function askedModels(names: readonly string[], wished: string | undefined): string {
  const [first] = names;
  if (first === undefined) return "";
  if (wished !== undefined && !names.includes(wished)) return `Calls ask ${first} in its place.`;
  const others = names.filter((name) => name !== (wished ?? first));
  // The name of the usual one may not fit into the list.
  const asked = wished === undefined ? `Calls ask ${first}. ` : "";
  if (others.length === 0) return `${asked}It is the only one that is set up.`;
  return `${asked}When it fails or says nothing in time: ${others.join(", then ")}.`;
}
