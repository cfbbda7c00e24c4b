import type { Provider } from "@parley/contract/providers";
import { operatorProvidersText } from "./text.tsx";

const OWN_SERVERS: Readonly<Record<string, string>> = operatorProvidersText.ownServers;

/** Vendors have the same name in every language. */
export function providerTitle({ name, title }: Pick<Provider, "name" | "title">): string {
  return OWN_SERVERS[name] ?? title.charAt(0).toUpperCase() + title.slice(1);
}
