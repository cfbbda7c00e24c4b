import type { CompiledFlow } from "@parley/flow/compile";
import { translatedLanguages } from "@parley/flow/translate";
import { usesModel } from "@parley/flow/warnings";
import type { TextCallOptions } from "@parley/voice/conversation/text-call/take-text-turn";
import type { AnswerJudge } from "@parley/voice/ports/answer-judge";
import type { IntentRanker } from "@parley/voice/ports/intent-ranker";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import type { McpFunction, ToolCaller } from "@parley/voice/ports/tool-caller";

/** The dependencies of text calls: the same parts that decide on the phone, without audio. */
export interface TextBrains {
  /** Of the language models that are configured. */
  readonly modelNames: readonly string[];
  /** Opened on first use. Rejects with a readable reason if they are unavailable. */
  models(): Promise<readonly LanguageModel[]>;
  /** Null where there is none for the language. */
  ranker(language: string): IntentRanker | null;
  /** Likewise. Without it the rules decide alone. */
  judge?(language: string): AnswerJudge | null;
}

/** The part of a text call that stays the same in all its turns. */
export interface TextCallFacts {
  readonly callId: string;
  readonly language: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly startedAtMs: number;
}

/** The phone number in trials. */
const TRIAL_NUMBER = "+15550100001";

/**
 * No one waits on the phone: slow work is awaited without a filler, and the client that requested the turn gives
 * up by the signal.
 */
const STILL = { setTimer: () => () => undefined };

export async function textCallSetup(
  brains: TextBrains,
  plan: CompiledFlow,
  { callId, language, variables, startedAtMs }: TextCallFacts,
  toolCaller: ToolCaller,
  signal: AbortSignal,
  mcpFunctions: readonly McpFunction[] = [],
): Promise<TextCallOptions> {
  return {
    plan,
    language,
    spoken: translatedLanguages(plan),
    variables,
    toolCaller,
    mcpFunctions,
    signal,
    timers: STILL,
    models: [...plan.nodes.values()].some(usesModel) ? await brains.models() : [],
    ranker: brains.ranker(language),
    judge: brains.judge?.(language) ?? null,
    // Trials by text never dial.
    mayDial: async () => ({ isAllowed: true }),
    call: {
      id: callId,
      phoneNumber: TRIAL_NUMBER,
      from: null,
      mode: "test",
      isRecorded: true,
      startedAtMs,
      timeZone: "UTC",
    },
  };
}
