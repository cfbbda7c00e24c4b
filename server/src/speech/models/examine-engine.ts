import type { EngineFinding, EngineReport } from "@parley/contract/doctor";
import { AppError } from "@parley/contract/errors";
import { type Clock, systemClock } from "@parley/time/clock";
import type { WorkLimits } from "../../platform/http/limits/work-limiter.ts";
import { createOutboundFetch } from "../../platform/outbound-http/outbound-fetch.ts";
import { type EngineSources, openEngineCatalog, recipeFor } from "../engines/engine-catalog.ts";
import { openModelHttp } from "./open-language-model.ts";
import { trialLanguageOf } from "./trial-sentence.ts";
import { type PartTrial, type TryEngineOptions, tryEngine } from "./try-engine.ts";

/** For the installation: vendors charge for every examination. */
export const EXAMINATION_LIMITS: WorkLimits = {
  atOnceMax: 1,
  perMinuteMax: 6,
  message:
    "Another engine is being tried, or engines were tried too often in the last minute. Vendors charge for it; wait a moment.",
};

/** Longer than this and the callee says "hello?". */
export const PROMPT_MS = 1500;

export interface ExamineEngineOptions extends Pick<TryEngineOptions, "signal" | "onPart"> {
  readonly clock?: Clock;
  /** Awaited before anything is sent; if it rejects, nothing is. */
  onBegin?(): Promise<void>;
}

/**
 * Makes one round trip to each part of an engine with the keys of the installation. Throws `not_found`, and
 * `engine_unavailable` with what is missing.
 */
export async function examineEngine(
  sources: EngineSources,
  name: string,
  { clock = systemClock, onBegin, ...options }: ExamineEngineOptions,
): Promise<EngineReport> {
  const engine = openEngineCatalog(sources).find(name);
  const recipe = recipeFor(sources, name, trialLanguageOf(engine?.languages ?? null));
  if (engine === undefined || recipe === undefined)
    throw new AppError("not_found", `There is no engine named "${name}".`);
  if (engine.missing.length > 0) throw new AppError("engine_unavailable", engine.missing.join(" "));
  await onBegin?.();
  const urls = [...recipe.recognition, ...recipe.synthesis].flatMap(({ baseUrl }) => baseUrl ?? []);
  const http = openModelHttp({ clock, ownHosts: new Set(urls.map((url) => new URL(url).hostname)) });
  try {
    const trials = await tryEngine(recipe, {
      ...options,
      clock,
      fetch: createOutboundFetch(http),
      models: sources.installed(),
      ...(sources.vendors ? { vendors: sources.vendors } : {}),
    });
    return {
      engine: name,
      isHealthy: trials.every(({ failure }) => failure === null),
      findings: trials.map(findingOf),
    };
  } finally {
    http.close();
  }
}

function findingOf({ part, name, firstResultMs, failure, remark, isLocal }: PartTrial): EngineFinding {
  const found = { part, name, firstResultMs: firstResultMs === null ? null : Math.round(firstResultMs) };
  if (failure !== null) return { ...found, verdict: "fault", finding: failure };
  if (isLocal) return { ...found, verdict: "skipped", finding: "It runs on this machine." };
  const isSlow = firstResultMs !== null && firstResultMs > PROMPT_MS;
  const finding = [remark?.text, isSlow ? "It is slow for a phone call." : null].filter(Boolean).join(" ");
  const verdict = isSlow || remark?.isWarning ? "warning" : "ok";
  return { ...found, verdict, finding: finding || "It works." };
}
