import type { CallLeg } from "@parley/telephony/carrier";
import { reasonOf } from "@parley/voice/ports/provider-error";
import type { ConversationPlan } from "../../speech/conversations/conversation-plan.ts";
import type { CallRow } from "../call-record.ts";
import type { RunCallDeps } from "./run-call-deps.ts";
import { RunRecording } from "./run-recording.ts";
import { LeaseLost } from "./run-store.ts";
import { RunTalk, type RunTalkParts } from "./run-talk.ts";
import { RunTranscript } from "./run-transcript.ts";
import type { RunWrites } from "./run-writes.ts";

export interface TalkContext extends Pick<RunTalkParts, "transfer" | "tell" | "warn"> {
  readonly deps: Pick<RunCallDeps, "db" | "clock" | "monotonicMs" | "talk">;
  readonly call: CallRow;
  readonly writes: RunWrites;
}

/** What the call will be about, before it is placed: nobody is rung who could not be talked to. Null where nobody talks. */
export async function planTalk({
  deps: { talk },
  call,
  writes,
  tell,
}: Pick<TalkContext, "deps" | "call" | "writes" | "tell">): Promise<ConversationPlan | null | "unavailable"> {
  if (talk === null) return null;
  try {
    await talk.conversations.ready();
    return await writes.persist(() => talk.planTalk(call));
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const incident = { what: "conversation_failed", reason: reasonOf(error), agoMs: 0 } as const;
    tell({ type: "incident", incident });
    return "unavailable";
  }
}

/** The talk on a leg that was just placed. */
export function openTalk(
  { deps, call, writes, ...context }: TalkContext,
  leg: CallLeg,
  plan: ConversationPlan | null,
): RunTalk {
  const { db, clock, monotonicMs, talk } = deps;
  const shared = { db, call, clock, writes };
  return new RunTalk({
    ...context,
    leg,
    clock,
    plan,
    conversations: talk?.conversations ?? null,
    transcript: new RunTranscript(shared),
    recording: talk && call.record ? new RunRecording({ ...shared, monotonicMs, recorder: talk.recorder }) : null,
    mayDial: async (to) => (await talk?.mayDial(call, to)) ?? { isAllowed: false, reason: "nobody talks" },
  });
}
