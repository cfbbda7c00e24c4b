import { lookup } from "node:dns/promises";
import { withFallback } from "@parley/providers/language-model/with-fallback";
import { LANGUAGE_MODEL_PROVIDERS } from "@parley/providers/registry";
import { type Clock, systemClock } from "@parley/time/clock";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import type { ProviderError } from "@parley/voice/ports/provider-error";
import type { ModelChoice, ModelSettings } from "../../platform/config/model-settings.ts";
import { createOutboundFetch } from "../../platform/outbound-http/outbound-fetch.ts";
import { createOutboundHttp, type OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";
import { makePolicy, PUBLIC_PORTS } from "../../platform/outbound-http/outbound-policy.ts";
import { createDnsResolver, type ResolveName } from "../../platform/outbound-http/resolve-target.ts";

export interface OpenLanguageModel {
  readonly model: LanguageModel;
  /** Aborts pending requests and closes every connection. */
  close(): void;
}

export interface OpenLanguageModelOptions {
  readonly clock?: Clock;
  /** Called on every failure of a model, even if another one answered instead. */
  readonly onFailure?: (failure: ProviderError) => void;
}

/** The maximum duration of a reply. */
const TOTAL_TIMEOUT_MS = 60_000;

/** Opens the models that the settings choose, as one. Null when they choose none. Each thread opens its own. */
export async function openLanguageModel(
  { choices, firstTokenTimeoutMs }: ModelSettings,
  { clock = systemClock, onFailure }: OpenLanguageModelOptions = {},
): Promise<OpenLanguageModel | null> {
  if (choices.length === 0) return null;
  const ownHosts = new Set(choices.flatMap(({ baseUrl }) => (baseUrl === null ? [] : [new URL(baseUrl).hostname])));
  const http = openModelHttp({ clock, ownHosts });
  const fetch = createOutboundFetch(http);
  const models = await Promise.all(choices.map((choice) => openChoice(choice, fetch, clock)));
  const model = withFallback(models, {
    firstTokenTimeoutMs,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    clock,
    ...(onFailure ? { onFailure } : {}),
  });
  return { model, close: () => http.close() };
}

function openChoice({ provider, ...access }: ModelChoice, fetch: typeof globalThis.fetch, clock: Clock) {
  const found = LANGUAGE_MODEL_PROVIDERS.find(({ name }) => name === provider);
  if (!found) throw new Error(`the settings chose a provider that does not exist: ${provider}`);
  return found.open({ ...access, fetch, clock });
}

export interface ModelHttpOptions {
  readonly clock: Clock;
  /** Hosts that the operator named. More may be added later. */
  readonly ownHosts: ReadonlySet<string>;
}

const EVERYWHERE = ["0.0.0.0/0", "::/0"];
// As long as an idle connection is kept: the turns of a call follow each other faster than that.
const NAMES_KEPT_MS = 30_000;

/**
 * The HTTP client for language models. Their URLs come from the operator or from this program, never from a customer:
 * so they may lead to this machine and into private networks, also by plain http. Where clouds hand out credentials
 * stays shut, redirects are not followed, and times and sizes are bounded as everywhere.
 */
export function openModelHttp({ clock, ownHosts }: ModelHttpOptions): OutboundHttp {
  const askNameServers = createDnsResolver({ clock });
  const resolve: ResolveName = (name, signal) =>
    ownHosts.has(name) ? resolveAsTheMachineDoes(name) : askNameServers(name, signal);
  return createOutboundHttp({
    policy: makePolicy({ allow: EVERYWHERE, deny: [], ports: PUBLIC_PORTS }),
    clock,
    resolve: rememberNames(resolve, clock, NAMES_KEPT_MS),
  });
}

/** The names of an operator's machines are in `/etc/hosts` and search domains as often as in DNS. */
async function resolveAsTheMachineDoes(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
}

/**
 * Caches name lookups for a limited time, because the callee waits for each. Only for names that no one can turn
 * against us: a customer's is looked up with each request.
 */
export function rememberNames(resolve: ResolveName, clock: Pick<Clock, "now">, keptMs: number): ResolveName {
  const known = new Map<string, { readonly addresses: readonly string[]; readonly untilMs: number }>();
  return async (name, signal) => {
    const kept = known.get(name);
    if (kept && kept.untilMs > clock.now()) return kept.addresses;
    const addresses = await resolve(name, signal);
    known.set(name, { addresses, untilMs: clock.now() + keptMs });
    return addresses;
  };
}
