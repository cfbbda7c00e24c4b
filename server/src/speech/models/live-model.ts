import type { LanguageModel, ModelPart, ModelRequest } from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { ModelSettings } from "../../platform/config/model-settings.ts";
import type { OpenLanguageModel } from "./open-language-model.ts";

/** The language model of a thread, as it was chosen last. */
export interface LiveModel {
  /** For a conversation that begins: null while there is none. One that was given out follows every later choice. */
  current(): LanguageModel | null;
  /** This choice is used from the next reply on; pending replies end with the previous one. */
  change(settings: ModelSettings): Promise<void>;
  /** Aborts pending requests. */
  close(): void;
}

type Open = (settings: ModelSettings) => Promise<OpenLanguageModel | null>;

interface Opened {
  readonly model: OpenLanguageModel;
  replies: number;
  isRetired: boolean;
}

export async function openLiveModel(settings: ModelSettings, open: Open): Promise<LiveModel> {
  const all = new Set<Opened>();
  let asked: Opened | null = null;
  let changing = Promise.resolve();
  let isClosed = false;

  async function take(next: ModelSettings): Promise<void> {
    const model = await open(next);
    if (isClosed) return model?.close();
    const before = asked;
    asked = model && { model, replies: 0, isRetired: false };
    if (asked) all.add(asked);
    if (before) before.isRetired = true;
    if (before) closeIfDone(before);
  }
  function closeIfDone(opened: Opened): void {
    if (!opened.isRetired || opened.replies > 0 || !all.delete(opened)) return;
    opened.model.close();
  }
  async function* reply(request: ModelRequest): AsyncGenerator<ModelPart> {
    const opened = asked;
    if (!opened) throw new ProviderError("none", "No language model is set anymore.", { retryable: false });
    opened.replies += 1;
    try {
      yield* opened.model.model.reply(request);
    } finally {
      opened.replies -= 1;
      closeIfDone(opened);
    }
  }
  const model: LanguageModel = {
    get name() {
      return asked?.model.model.name ?? "none";
    },
    get firstPartWithinMs() {
      return asked?.model.model.firstPartWithinMs;
    },
    reply,
  };

  await take(settings);
  return {
    current: () => (asked === null ? null : model),
    change(next) {
      // In the order in which they were chosen, however long one takes to open.
      const taken = changing.then(() => take(next));
      // The caller is notified of the failure; the previous model stays, and the next change is still tried.
      changing = taken.catch(() => undefined);
      return taken;
    },
    close() {
      isClosed = true;
      for (const opened of all) opened.model.close();
      all.clear();
    },
  };
}
