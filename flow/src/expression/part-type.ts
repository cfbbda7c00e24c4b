import type { ValueType } from "./value.ts";

/** What a part comes to, as far as can be told beforehand. `unknown` is a part with a mistake that was reported already. */
export type PartType = ValueType | "null" | "unknown";

/** Whether a type fits to every other. */
export function isVague(type: PartType): boolean {
  return type === "null" || type === "unknown";
}

/** Case and spacing do not tell answers apart. */
export function plainly(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase();
}

export function withArticle(type: PartType): string {
  if (type === "null") return "null";
  if (type === "boolean") return "true or false";
  return `a ${type}`;
}

export function listOf(types: readonly ValueType[]): string {
  const words = types.map(withArticle);
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words.join("");
}

export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
