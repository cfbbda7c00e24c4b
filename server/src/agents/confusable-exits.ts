import { createHash } from "node:crypto";
import type { FlowWarning } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { checkExits, type ExitWarning } from "@parley/voice/conversation/understanding/confusable-exits";
import type { AnswerJudge } from "@parley/voice/ports/answer-judge";

/**
 * Finds exits of questions that the models of a call would not tell apart. It never fails: what it cannot determine is
 * omitted.
 */
export type ExitChecker = (flow: Flow, language: string) => Promise<FlowWarning[]>;

export interface ExitCheckerOptions {
  /** The judge of a language, or null where there is none. */
  judgeFor(language: string): AnswerJudge | null;
  onFailure(error: unknown): void;
  /** Default: 5 seconds, for which a publication may well wait. */
  readonly timeoutMs?: number;
}

/** The judge takes 10 ms for each phrase, and a second or two to load. */
const TIMEOUT_MS = 5_000;
/** Questions whose results are kept. A flow is checked again after every pause in typing, and one question of it has changed. */
const KEPT_MAX = 2_000;

export function createExitChecker({ judgeFor, onFailure, timeoutMs = TIMEOUT_MS }: ExitCheckerOptions): ExitChecker {
  const kept = new Map<string, readonly ExitWarning[]>();
  const checkAsk = async (ask: AskNode, language: string, signal: AbortSignal) => {
    const key = keyOf(ask, language);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = await checkExits(ask, judgeFor(language), signal);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    kept.set(key, found);
    return found;
  };
  return async (flow, language) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const warnings: FlowWarning[] = [];
    try {
      for (const [index, node] of flow.nodes.entries()) {
        if (node.type !== "ask" || (node.answer !== "choice" && node.answer !== "yes_no")) continue;
        for (const { path, code, message, parts } of await checkAsk(node, language, signal)) {
          const param = `flow.nodes[${index}].${path}`;
          warnings.push({ param, code, message, ...(parts === undefined ? {} : { parts }) });
        }
      }
    } catch (error) {
      onFailure(error);
    }
    return warnings;
  };
}

function keyOf({ id, text, answer, exits }: AskNode, language: string): string {
  const wordings = exits.map(({ when, phrases = [] }) => [when, phrases]);
  return createHash("sha256")
    .update(JSON.stringify([language, id, text, answer, wordings]))
    .digest("base64");
}
