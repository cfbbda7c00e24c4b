import { randomBytes } from "node:crypto";
import type { Scenario, ScenarioResult } from "@parley/contract/scenarios";
import type { CompiledFlow } from "@parley/flow/compile";
import { withGivenReplies } from "../trials/text/given-tools.ts";
import { type TextBrains, textCallSetup } from "../trials/text/text-brains.ts";
import { runOnText } from "./run-on-text.ts";
import { toBrokenResult, toResult } from "./to-result.ts";

/** All scenarios of a request together: a client that waits for longer has given up. */
const RUN_MAX_MS = 55_000;

/** Runs scenarios by text, one after the other. None of them can keep the others from being judged. */
export async function runTexts(
  brains: TextBrains,
  plan: CompiledFlow,
  language: string,
  scenarios: readonly Scenario[],
  nowMs: () => number,
): Promise<ScenarioResult[]> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error("there was no time left for it")), RUN_MAX_MS);
  const results: ScenarioResult[] = [];
  try {
    for (const scenario of scenarios) results.push(await runOne(scenario));
    return results;
  } finally {
    clearTimeout(timer);
    over.abort(new Error("the run is over"));
  }

  async function runOne(scenario: Scenario): Promise<ScenarioResult> {
    const callId = `try_${randomBytes(12).toString("hex")}`;
    const { variables, toolReplies } = scenario;
    const facts = { callId, language, variables, startedAtMs: nowMs() };
    try {
      over.signal.throwIfAborted();
      const setup = await textCallSetup(brains, plan, facts, withGivenReplies(toolReplies, null), over.signal);
      return toResult(scenario, await runOnText(setup, scenario), language);
    } catch (error) {
      return toBrokenResult(scenario, `It could not be run to its end: ${wordsOf(error)}.`);
    }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
