import tokenizer from "llama-tokenizer-js";

/** Text as the model's tokens, without the mark for the beginning. */
export function tokensOfText(text: string): number[] {
  return tokenizer.encode(text, false, true);
}

export function textOfTokens(tokens: readonly number[]): string {
  return tokenizer.decode([...tokens], false, false).trim();
}
