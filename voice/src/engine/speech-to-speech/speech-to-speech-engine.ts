import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
import { ProviderError, reasonOf } from "../../ports/provider-error.ts";
import type { SpeechModel, SpeechModelEvent, SpeechModelSession } from "../../ports/speech-model.ts";
import type { Conversation } from "../../ports/voice-engine.ts";
import { SharedTick } from "../shared-tick.ts";
import type { CalleeWatchDeps } from "./callee-watch.ts";
import { type SpeechCallOptions, SpeechConversation } from "./speech-conversation.ts";

interface SpeechToSpeechDeps extends CalleeWatchDeps {
  readonly clock: Clock;
}

/** Holds conversations by models that hear and speak. */
export interface SpeechToSpeechEngine {
  /** Rejects with the failure of the first model when none of them can be opened. */
  prepare(options: SpeechCallOptions & { readonly models: readonly SpeechChoice[] }): Promise<Conversation>;
  close(): Promise<void>;
}

/** A model and the voice with which it speaks. */
interface SpeechChoice {
  readonly model: SpeechModel;
  readonly voiceId: string;
}

/** A model that takes longer to connect has failed: the callee's phone rings. */
const OPEN_WITHIN_MS = 5_000;
/** And during a call: the callee is waiting. Vendors take 0.3 to 1 second. */
const REOPEN_WITHIN_MS = 2_000;
/** A call that loses its models more often than this does not get better. */
const RECONNECTIONS_MAX = 2;

export function createSpeechToSpeechEngine(deps: SpeechToSpeechDeps): SpeechToSpeechEngine {
  const tick = new SharedTick(deps.clock);
  const conversations = new Set<SpeechConversation>();
  let isClosed = false;

  async function openModel(
    { model, voiceId }: SpeechChoice,
    instructions: string,
    { script }: SpeechCallOptions,
    withinMs: number,
    onEvent: (event: SpeechModelEvent) => void,
  ): Promise<SpeechModelSession> {
    const { tools, isInterruptible, language } = script;
    const opening = model.open({ instructions, tools, language, voiceId, isInterruptible, onEvent });
    const waited = await waitFor(deps.clock, withinMs, opening);
    if (waited.type === "done") return waited.value;
    opening.then((session) => session.close()).catch(() => undefined);
    throw new ProviderError(model.name, `${model.name} did not open a session in time.`, { retryable: true });
  }

  return {
    async prepare({ models, ...options }) {
      if (isClosed) throw new Error("the engine was closed");
      let order = [...models];
      let opened = 0;
      /** The next model that can be opened. The one that was lost comes last: most connections are lost only once. */
      const openNext = async (instructions: string, onEvent: (event: SpeechModelEvent) => void) => {
        const failures: unknown[] = [];
        const withinMs = opened === 0 ? OPEN_WITHIN_MS : REOPEN_WITHIN_MS;
        for (const choice of opened > models.length + RECONNECTIONS_MAX ? [] : order) {
          try {
            const session = await openModel(choice, instructions, options, withinMs, onEvent);
            order = [...order.filter((each) => each !== choice), choice];
            opened += 1;
            return { session, name: choice.model.name, failures: failures.map(reasonOf) };
          } catch (error) {
            failures.push(error);
          }
        }
        throw failures[0] ?? new Error("it was replaced too often");
      };
      const conversation = new SpeechConversation({ ...deps, tick, openNext }, options);
      conversations.add(conversation);
      void conversation.finished.then(() => conversations.delete(conversation));
      try {
        await conversation.prepare();
      } catch (error) {
        conversation.fail(reasonOf(error));
        throw error;
      }
      return conversation;
    },
    async close() {
      isClosed = true;
      for (const conversation of conversations) conversation.hangUp();
      await Promise.all([...conversations].map(({ finished }) => finished));
    },
  };
}
