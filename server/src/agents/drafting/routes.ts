import { AppError } from "@parley/contract/errors";
import { describeAgent } from "@parley/contract/routes/agents";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import type { Database } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { WorkLimiter } from "../../platform/http/limits/work-limiter.ts";
import { findAgentRow } from "../agent-store.ts";
import type { ExitChecker } from "../confusable-exits.ts";
import { checkFlow } from "../drafts.ts";
import { unknownAgent } from "../unknown-agent.ts";
import { draftFlow } from "./draft-flow.ts";

export interface DraftingDeps {
  readonly db: Database;
  readonly checkExits: ExitChecker;
  /** What asks the configured language models. */
  readonly brains: { readonly modelNames: readonly string[]; models(): Promise<readonly LanguageModel[]> };
  nowMs(): number;
}

/** A model writes up to three times. */
const DRAFTING_MAX_MS = 120_000;
/** Of one account: vendors charge for every attempt. */
const LIMITS = { atOnceMax: 2, perMinuteMax: 6, message: "A draft is being written. Wait until it is done." };

/** Drafts of flows, written by a language model. */
export function draftingRoutes({ db, checkExits, brains, nowMs }: DraftingDeps): BoundRoute[] {
  const limiter = new WorkLimiter(nowMs, LIMITS);
  return [
    handle(describeAgent, async ({ accountId, params, body }) => {
      const agent = await findAgentRow(db, accountId, params.id);
      if (!agent) throw unknownAgent();
      const [model] = await brains.models();
      if (!model) throw new AppError("invalid_state", "No language model is configured that could write a draft.");
      const end = limiter.begin(accountId);
      try {
        const { modelNames } = brains;
        const signal = AbortSignal.timeout(DRAFTING_MAX_MS);
        const options = { description: body.description, language: agent.language, modelNames, checkExits, signal };
        const flow = await draftFlow(model, options);
        const { problems, warnings } = checkFlow(flow, modelNames);
        return { data: { flow, problems, warnings: [...warnings, ...(await checkExits(flow, agent.language))] } };
      } finally {
        end();
      }
    }),
  ];
}
