import type { Flow } from "@parley/contract/flow";
import {
  type ConnectedRanker,
  connectRanker,
  type RankerThread,
  startRankerThread,
} from "@parley/providers/local/intents/ranker-thread";
import {
  type ConnectedJudge,
  connectJudge,
  type JudgeThread,
  startJudgeThread,
} from "@parley/providers/local/judge/judge-thread";
import type { ToolCaller } from "@parley/voice/ports/tool-caller";
import { type McpPlan, mcpPlanForFlow } from "../agents/mcp/functions-for-flow.ts";
import { readToolSecret } from "../agents/tool-secrets.ts";
import type { TextBrains } from "../agents/trials/text/text-brains.ts";
import { nameOfModel } from "../platform/config/model-settings.ts";
import { createOutboundHttp } from "../platform/outbound-http/outbound-http.ts";
import { makePolicy } from "../platform/outbound-http/outbound-policy.ts";
import { createMcpCaller, type McpCaller } from "../speech/conversations/call-mcp-tool.ts";
import { createToolCaller } from "../speech/conversations/call-tool.ts";
import { type LiveModel, openLiveModel } from "../speech/models/live-model.ts";
import type { ModelDirectory } from "../speech/models/model-directory.ts";
import { openLanguageModel } from "../speech/models/open-language-model.ts";
import { outboundWords } from "./outbound-words.ts";
import type { ServiceContext } from "./service-context.ts";

/** What agents are tried with by text, in a process that answers requests. */
export interface JoinedTrying {
  readonly brains: TextBrains;
  toolCallerFor(accountId: string, callId: string): ToolCaller;
  mcpPlanFor(accountId: string, flow: Flow): Promise<McpPlan>;
  mcpCallerFor(plan: McpPlan): McpCaller;
  close(): Promise<void>;
}

/** Joins the parts. Models and ranker are loaded when an agent that needs them is first tried. */
export function joinTrying(
  { db, log, secrets, settings, exposure }: ServiceContext,
  models: Pick<ModelDirectory, "current" | "onChange">,
): JoinedTrying {
  const nowMs = () => Date.now();
  const outbound = createOutboundHttp({ policy: makePolicy(outboundWords(settings, exposure)) });
  let opening: Promise<LiveModel> | null = null;
  const openModel = () =>
    openLiveModel(models.current(), (chosen) =>
      openLanguageModel(chosen, {
        onFailure: (failure) => log.warn({ reason: failure.message }, "language model failed in a trial"),
      }),
    );
  const stopFollowing = models.onChange(() => {
    opening
      ?.then((live) => live.change(models.current()))
      .catch((error: unknown) => log.warn({ error }, "language model for trials could not be opened"));
  });
  let judging: { readonly thread: JudgeThread; readonly judge: ConnectedJudge } | null = null;
  const openJudge = () => {
    const thread = startJudgeThread({
      onFailure: (reason) => log.warn({ reason }, "judge of answers failed in a trial"),
    });
    return { thread, judge: connectJudge(thread.connect()) };
  };
  let ranking: { readonly thread: RankerThread; readonly ranker: ConnectedRanker } | null = null;
  const openRanker = () => {
    const thread = startRankerThread({
      onFailure: (reason) => log.warn({ reason }, "sentence encoder failed in a trial"),
    });
    return { thread, ranker: connectRanker(thread.connect()) };
  };
  return {
    brains: {
      get modelNames() {
        return models.current().choices.map(nameOfModel);
      },
      async models() {
        opening ??= openModel();
        const model = (await opening).current();
        return model === null ? [] : [model];
      },
      ranker(language) {
        // The local encoder knows English only.
        if (!/^en\b/i.test(language)) return null;
        ranking ??= openRanker();
        return ranking.ranker;
      },
      judge(language) {
        if (!/^en\b/i.test(language)) return null;
        judging ??= openJudge();
        return judging.judge;
      },
    },
    toolCallerFor: (accountId, callId) => ({
      async call(request) {
        // Read when a request is sent, because most tries send none.
        const { secret, previousSecret } = await readToolSecret({ secrets, nowMs }, db, accountId);
        const signing = previousSecret === null ? [secret] : [secret, previousSecret];
        return createToolCaller({ outbound, callId, secrets: signing, nowMs }).call(request);
      },
    }),
    mcpPlanFor: (accountId, flow) => mcpPlanForFlow(secrets, db, accountId, flow),
    mcpCallerFor: (plan) => createMcpCaller({ outbound, plan }),
    async close() {
      stopFollowing();
      outbound.close();
      (await opening?.catch(() => null))?.close();
      await judging?.judge.close();
      await judging?.thread.stop();
      await ranking?.ranker.close();
      await ranking?.thread.stop();
    },
  };
}
