import type { CompiledFlow } from "@parley/flow/compile";

/** Longer ones are sentences, and no vendor favors sentences. */
const WORDS_MAX = 4;
/** More would favor everything, and so nothing. */
const TERMS_MAX = 60;

/**
 * What recognition should favor in a call: the choices of its questions, the words whose pronunciation the agent knows, and
 * the names and numbers in the call's variables. Words that are said in every call are left out: they are recognized
 * anyway, and would be heard where they were not said.
 */
export function termsOf(plan: CompiledFlow, variables: Readonly<Record<string, string>>): string[] {
  const choices = [...plan.nodes.values()].flatMap((node) =>
    node.type === "ask" && node.answer === "choice"
      ? node.exits.flatMap(({ when, phrases = [] }) => [when, ...phrases])
      : [],
  );
  const pronounced = (plan.settings.pronunciations ?? []).map(({ written }) => written);
  const named = Object.values(variables).flatMap(namesIn);
  const terms = [...pronounced, ...named, ...choices].map((term) => term.trim());
  return [...new Set(terms.filter((term) => term !== "" && wordCount(term) <= WORDS_MAX))].slice(0, TERMS_MAX);
}

/** Runs of capitalized words: "Green Street Dental" in "from Green Street Dental". */
function namesIn(value: string): string[] {
  return value.match(/\p{Lu}[\p{L}\p{M}'’-]*(?:\s+\p{Lu}[\p{L}\p{M}'’-]*)*/gu) ?? [];
}

function wordCount(term: string): number {
  return term.split(/\s+/).length;
}
