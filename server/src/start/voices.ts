import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { isKokoroVoice } from "@parley/providers/local/kokoro/kokoro-voices";
import { connectVoice, type NaturalVoice } from "@parley/providers/local/kokoro/speaking/voice-port";
import { systemClock } from "@parley/time/clock";
import { listPublishedFlows } from "../agents/version-store.ts";
import { chooseVoice } from "../agents/voices/known-voices.ts";
import { OpeningGate } from "../agents/voices/opening-gate.ts";
import { PREVIEW_LIMITS, PreviewCache } from "../agents/voices/previews.ts";
import { renderPublished, watchSpareTime } from "../agents/voices/render-published.ts";
import type { VoiceRoutesDeps } from "../agents/voices/routes.ts";
import { withAccountSpeech } from "../agents/with-account-speech.ts";
import { WorkLimiter } from "../platform/http/limits/work-limiter.ts";
import { type ConversationPlan, speaksElsewhere } from "../speech/conversations/conversation-plan.ts";
import type { ServiceContext } from "./service-context.ts";

/** The voices of the agents in this process. */
export interface JoinedVoices {
  /** The plan with the voice that its call is held with. A trial is not admitted by measured headroom, and does not wait. */
  withVoice(plan: ConversationPlan, isTrial?: boolean): Promise<ConversationPlan>;
  close(): Promise<void>;
}

/** What was published longer ago was rendered by then, or is spoken live. */
const PUBLISHED_DAYS = 7;
const ROWS_MAX = 20;
const DAY_MS = 86_400_000;

/** Joins the parts that give agents their voices. */
export function joinVoices(
  { db, log, naturalVoices, settings }: ServiceContext,
  conversations: { readonly conversations: number; readonly naturalConversations: number },
): JoinedVoices {
  const openings = new OpeningGate(systemClock);
  const withVoice = async (plan: ConversationPlan, isTrial = false): Promise<ConversationPlan> => {
    const isAdmitted = settings.admission === "measured" && !isTrial;
    const deps = { natural: naturalVoices, naturalCalls: conversations.naturalConversations, isAdmitted };
    const { voiceId, because, isIncident } = await chooseVoice(deps, plan);
    // The voice of a vendor needs nothing of this machine; this one is only its fallback.
    if (speaksElsewhere(plan)) return { ...plan, ...(voiceId === null ? {} : { voiceId }), voiceIncident: null };
    // The callee is not rung: nothing is read to them by a voice that does not speak their language.
    if (voiceId === null) throw new Error(`No voice here speaks ${plan.language} now: ${because}.`);
    if (naturalVoices !== null && isKokoroVoice(voiceId)) await openings.enter(await naturalVoices.openingsAtOnce());
    if (because !== null) log.info({ callId: plan.callId, voiceId, reason: because }, "call uses a light voice");
    return { ...plan, voiceId, voiceIncident: isIncident ? because : null };
  };
  if (naturalVoices === null) return { withVoice, close: async () => undefined };

  const spare = watchSpareTime(() => conversations.conversations);
  let opening: Promise<NaturalVoice> | null = null;
  const stopRendering = renderPublished({
    natural: {
      async renderAhead(...args) {
        opening ??= naturalVoices.connect().then(connectVoice);
        return (await opening).renderAhead(...args);
      },
    },
    mayWork: spare.hasSpareTime,
    clock: systemClock,
    list: async (after) =>
      (await listPublishedFlows(db, after, ROWS_MAX)).map(({ flow, disclosure, pronunciations, ...row }) => ({
        ...row,
        flow: withAccountSpeech(flow, { disclosure, pronunciations }),
      })),
    since: { createdAt: new Date(Date.now() - PUBLISHED_DAYS * DAY_MS), id: "" },
    onTrouble: (error) => log.warn({ error }, "published agent could not be rendered"),
  });
  return {
    withVoice,
    async close() {
      spare.close();
      await stopRendering();
      await (await opening)?.close();
    },
  };
}

interface JoinedPreviews extends Omit<VoiceRoutesDeps, "db"> {
  close(): Promise<void>;
}

/** Proxies in front of a service give up after a minute. */
const WAIT_MS = 40_000;
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

/** Joins the voices that people listen to before any call. Each is loaded when it is first requested. */
export function joinPreviews({ naturalVoices }: ServiceContext): JoinedPreviews {
  const light = createFliteSynthesizer({ threadsMax: 1 });
  let opening: Promise<NaturalVoice> | null = null;
  return {
    voices: {
      light,
      natural:
        naturalVoices &&
        (() => {
          opening ??= naturalVoices.connect().then(connectVoice);
          return opening;
        }),
    },
    limiter: new WorkLimiter(() => performance.now(), PREVIEW_LIMITS),
    cache: new PreviewCache({ clock: systemClock, waitMs: WAIT_MS, bytesMax: KEPT_BYTES_MAX }),
    async close() {
      await light.close();
      await (await opening)?.close();
    },
  };
}
