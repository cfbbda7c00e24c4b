import { waitFor } from "@parley/time/within";
import { reasonOf } from "../ports/provider-error.ts";
import type { Conversation, ConversationOptions, VoiceEngine } from "../ports/voice-engine.ts";
import type { CascadeDeps } from "./call-tools.ts";
import { CascadeConversation } from "./cascade-conversation.ts";
import { SharedTick } from "./shared-tick.ts";

export type CascadeOptions = Pick<CascadeDeps, "vad" | "recognizer" | "synthesizer" | "clock"> &
  Partial<Pick<CascadeDeps, "screening" | "onIncident" | "record">> & { readonly name?: string };

/** The maximum delay before dialing: anything not ready by then is waited for after the answer. */
const PREPARE_MS = 3_000;

/** Conversations with a recognizer, a brain and a synthesizer. One engine serves all calls of its thread. */
export function createCascadeEngine(options: CascadeOptions): VoiceEngine {
  const deps: CascadeDeps = {
    ...options,
    screening: options.screening ?? null,
    onIncident: options.onIncident ?? (() => undefined),
    record: options.record ?? null,
  };
  const tick = new SharedTick(deps.clock);
  const conversations = new Set<CascadeConversation>();
  let isClosed = false;

  async function prepare(conversationOptions: ConversationOptions): Promise<Conversation> {
    if (isClosed) throw new Error("the engine was closed");
    const callDeps: CascadeDeps = { ...deps, ...conversationOptions.speech };
    const conversation = new CascadeConversation(callDeps, conversationOptions, tick);
    conversations.add(conversation);
    void conversation.finished.then(() => conversations.delete(conversation));
    try {
      const opened = conversation.openRecognition();
      const ready = Promise.all([opened, conversation.openingReady]);
      // Recognition that becomes available late is used from then on; if it never does, the call ends.
      opened.catch((error: unknown) => conversation.fail(reasonOf(error)));
      await waitFor(deps.clock, PREPARE_MS, ready, conversationOptions.hurry);
    } catch (error) {
      conversation.fail(reasonOf(error));
      await conversation.finished;
      throw error;
    }
    return conversation;
  }

  return {
    name: options.name ?? "cascade",
    prepare,
    async close() {
      isClosed = true;
      for (const conversation of conversations) conversation.hangUp();
      await Promise.all([...conversations].map(({ finished }) => finished));
    },
  };
}
