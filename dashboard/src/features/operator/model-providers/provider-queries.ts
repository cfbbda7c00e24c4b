import type { Provider } from "@parley/contract/providers";
import { listProviders } from "@parley/contract/routes/providers";
import { queryOptions } from "@tanstack/react-query";
import { send } from "../../../api/send.ts";
import type { Tone } from "../../../ui/feedback/badge.tsx";

export const providerKeys = ["model-providers"] as const;

export const providersQuery = queryOptions({
  queryKey: providerKeys,
  queryFn: ({ signal }) => send(listProviders, { signal }),
});

export function titleOf({ title }: Pick<Provider, "title">): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** What becomes of a provider in calls. */
export function placeOf({ asked, source, trouble }: Provider): { readonly tone: Tone; readonly word: string } {
  if (trouble !== null) return { tone: "danger", word: "Cannot be used" };
  if (asked === "first") return { tone: "accent", word: "Asked first" };
  if (asked === "fallback") return { tone: "neutral", word: "When the first fails" };
  return { tone: "neutral", word: source === null ? "Not set up" : "Not asked" };
}

/** What is known of it in one line; never more of a key than how it ends. */
export function describeProvider(provider: Provider): string {
  const { source, hasApiKey, lastFour, baseUrl, model, defaultModel } = provider;
  if (source === null) return defaultModel ? `Quick model: ${defaultModel}` : "Any server that speaks chat completions";
  return [baseUrl, model ?? defaultModel, hasApiKey ? (lastFour ? `key …${lastFour}` : "key stored") : null]
    .filter((part) => part !== null)
    .join(" · ");
}
