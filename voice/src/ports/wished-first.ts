import type { LanguageModel } from "./language-model.ts";

/** The models with the one of this name before the others; as they were given where none has it. */
export function wishedFirst(models: readonly LanguageModel[], name: string | undefined): readonly LanguageModel[] {
  const wished = models.find((model) => model.name === name);
  return wished === undefined ? models : [wished, ...models.filter((model) => model !== wished)];
}
