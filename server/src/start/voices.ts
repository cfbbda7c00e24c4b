import type { KokoroSynthesizer } from "@parley/providers/local/kokoro/kokoro-synthesizer";
import { systemClock } from "@parley/time/clock";
import { chooseVoice } from "../agents/voices/known-voices.ts";
import { openNaturalVoice } from "../agents/voices/open-natural-voice.ts";
import { listPublishedFlows } from "../agents/voices/published-flows-store.ts";
import { renderPublished, watchSpareTime } from "../agents/voices/render-published.ts";
import { withDisclosure } from "../agents/with-disclosure.ts";
import type { ConversationPlan } from "../speech/conversations/conversation-plan.ts";
import type { ServiceContext } from "./service-context.ts";

/** The voices of the agents that this process lets talk. */
export interface JoinedVoices {
  /** The plan with the voice that its call is held with. May take as long as a call may wait. */
  withVoice(plan: ConversationPlan, waitMaxMs?: number): Promise<ConversationPlan>;
  close(): Promise<void>;
}

/** What was published longer ago was rendered by then, or is rendered before its next call. */
const PUBLISHED_DAYS = 7;
const ROWS_MAX = 20;
const DAY_MS = 86_400_000;

/** Joins the parts that give agents their voices. No network is loaded before there is something to render. */
export function joinVoices({ db, log, settings }: ServiceContext, liveCalls: () => number): JoinedVoices {
  const { hasNaturalVoices, voiceWaitMs: waitMs } = settings.conversations;
  const choose = async (
    natural: KokoroSynthesizer | null,
    plan: ConversationPlan,
    waitMaxMs = waitMs,
  ): Promise<ConversationPlan> => {
    const { voiceId, because } = await chooseVoice({ natural, waitMs: Math.min(waitMs, waitMaxMs) }, plan);
    if (because !== null) log.info({ callId: plan.callId, voiceId, because }, "call uses a light voice");
    return { ...plan, voiceId };
  };
  if (!hasNaturalVoices) return { withVoice: (plan) => choose(null, plan), close: async () => undefined };

  const spare = watchSpareTime(liveCalls);
  const opening = openNaturalVoice({
    dataDir: settings.dataDir,
    mayRender: true,
    mayWork: spare.hasSpareTime,
    onTrouble: (error) => log.warn({ error }, "could not read or store voice clips"),
  });
  const stopRendering = renderPublished({
    natural: { renderAhead: async (...args) => (await opening).renderAhead(...args) },
    clock: systemClock,
    list: async (after) =>
      (await listPublishedFlows(db, after, ROWS_MAX)).map(({ flow, disclosure, ...row }) => ({
        ...row,
        flow: withDisclosure(flow, disclosure),
      })),
    since: { createdAt: new Date(Date.now() - PUBLISHED_DAYS * DAY_MS), id: "" },
    onTrouble: (error) => log.warn({ error }, "could not render a published agent"),
  });
  return {
    withVoice: async (plan, waitMaxMs) => choose(await opening, plan, waitMaxMs),
    async close() {
      spare.close();
      const natural = await opening;
      await Promise.all([natural.close(), stopRendering()]);
    },
  };
}
