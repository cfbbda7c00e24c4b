import type { Clock } from "@parley/time/clock";
import type { LanguageModel, ModelPart, ModelRequest } from "@parley/voice/ports/language-model";
import type { SpeechModel, SpeechModelEvent } from "@parley/voice/ports/speech-model";
import { plainText } from "@parley/voice/ports/speech-notation";
import type { RecognitionStream, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { SpeechRequest, SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { splitName } from "../../platform/config/engine-settings.ts";

/** What a call used of one of the parts of its engine, in one request. */
export interface PartUse {
  readonly part: "recognition" | "model" | "synthesis" | "speech";
  readonly provider: string;
  readonly model: string | null;
  /** From the request to its first result: a text, audio, or a word. Null when none came, or none was asked for. */
  readonly firstResultMs: number | null;
  readonly hasFailed: boolean;
  /** Audio that was sent to recognition, or heard and spoken by a model that does both. */
  readonly audioMs: number;
  /** Text that was sent to synthesis. */
  readonly characters: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Must not throw. */
export type NotePartUse = (use: PartUse) => void;

interface MeterDeps {
  readonly clock: Pick<Clock, "now">;
  readonly note: NotePartUse;
}

interface PartIdentity {
  readonly provider: string;
  readonly model: string | null;
}

const NOTHING = { firstResultMs: null, hasFailed: false, audioMs: 0, characters: 0, inputTokens: 0, outputTokens: 0 };

/** A part that could not be opened. */
export function failedUse(part: PartUse["part"], { provider, model }: PartIdentity): PartUse {
  return { part, provider, model, ...NOTHING, hasFailed: true };
}

export function meterRecognizer(
  recognizer: SpeechRecognizer,
  { provider, model }: PartIdentity,
  { clock, note }: MeterDeps,
): SpeechRecognizer {
  const use = { part: "recognition", provider, model, ...NOTHING } as const;
  return {
    name: recognizer.name,
    async open(request) {
      let stream: RecognitionStream;
      try {
        stream = await recognizer.open(request);
      } catch (error) {
        note({ ...use, hasFailed: true });
        throw error;
      }
      let samples = 0;
      // Audio is noted with the next result, and what remains at the end.
      const takeAudioMs = () => {
        const audioMs = (samples / request.sampleRateHz) * 1000;
        samples = 0;
        return audioMs;
      };
      return {
        ...(stream.followsWholeCall === undefined ? {} : { followsWholeCall: stream.followsWholeCall }),
        hear(heard) {
          samples += heard.length;
          stream.hear(heard);
        },
        async recognize(question) {
          const askedMs = clock.now();
          try {
            const result = await stream.recognize(question);
            note({ ...use, firstResultMs: clock.now() - askedMs, audioMs: takeAudioMs() });
            return result;
          } catch (error) {
            if (!question.signal?.aborted) note({ ...use, hasFailed: true, audioMs: takeAudioMs() });
            throw error;
          }
        },
        startUtterance: () => stream.startUtterance(),
        close() {
          stream.close();
          const audioMs = takeAudioMs();
          if (audioMs > 0) note({ ...use, audioMs });
        },
      };
    },
    close: () => recognizer.close(),
  };
}

export function meterSynthesizer(
  synthesizer: SpeechSynthesizer,
  { provider, model }: PartIdentity,
  { clock, note }: MeterDeps,
): SpeechSynthesizer {
  async function* speak(request: SpeechRequest): AsyncGenerator<Int16Array> {
    const use = { part: "synthesis", provider, model, ...NOTHING, characters: plainText(request.text).length } as const;
    const askedMs = clock.now();
    let firstResultMs: number | null = null;
    let hasFailed = false;
    try {
      for await (const piece of synthesizer.speak(request)) {
        firstResultMs ??= clock.now() - askedMs;
        yield piece;
      }
    } catch (error) {
      hasFailed = !request.signal?.aborted;
      throw error;
    } finally {
      note({ ...use, firstResultMs, hasFailed });
    }
  }
  return { name: synthesizer.name, voices: synthesizer.voices, speak, close: () => synthesizer.close() };
}

interface AskedModel {
  readonly name: string;
  readonly askedMs: number;
  firstResultMs: number | null;
  tokens: { readonly inputTokens: number; readonly outputTokens: number };
  hasFailed: boolean;
}

/** What is used of a model that stands for several is noted for each that was asked, whether or not it answered. */
export function meterModel(model: LanguageModel, { clock, note }: MeterDeps): LanguageModel {
  async function* reply(request: ModelRequest): AsyncGenerator<ModelPart> {
    const asked: AskedModel[] = [];
    const ask = (name: string): AskedModel => {
      const tokens = { inputTokens: 0, outputTokens: 0 };
      // Only the one that replies to the end, and one that was not needed, have not failed.
      const one: AskedModel = { name, askedMs: clock.now(), firstResultMs: null, tokens, hasFailed: true };
      asked.push(one);
      return one;
    };
    const latest = (name: string) => asked.findLast((one) => one.name === name);
    let answering: AskedModel | null = null;
    const asking = {
      ...request,
      onAsked(name: string) {
        ask(name);
        request.onAsked?.(name);
      },
      onAnswering(name: string) {
        answering = latest(name) ?? null;
        request.onAnswering?.(name);
      },
      onLost(name: string) {
        const lost = latest(name);
        if (lost !== undefined) lost.hasFailed = false;
        request.onLost?.(name);
      },
    };
    const current = (): AskedModel => answering ?? asked.at(-1) ?? ask(model.name);
    let hasFailed = false;
    try {
      for await (const part of model.reply(asking)) {
        const one = current();
        if (part.type !== "finished") one.firstResultMs ??= clock.now() - one.askedMs;
        else one.tokens = { inputTokens: part.inputTokens ?? 0, outputTokens: part.outputTokens ?? 0 };
        yield part;
      }
    } catch (error) {
      hasFailed = !request.signal.aborted;
      throw error;
    } finally {
      current().hasFailed = hasFailed;
      for (const { name: whole, firstResultMs, tokens, ...one } of asked) {
        const { provider, model: name } = splitName(whole);
        note({ part: "model", provider, model: name, ...NOTHING, ...tokens, firstResultMs, hasFailed: one.hasFailed });
      }
    }
  }
  return {
    get name() {
      return model.name;
    },
    get firstPartWithinMs() {
      return model.firstPartWithinMs;
    },
    reply,
  };
}

const SAMPLES_PER_MS = 8;

/** A request is a reply: asked for, or to what the callee said. */
export function meterSpeechModel(
  model: SpeechModel,
  { provider, model: modelName }: PartIdentity,
  { clock, note }: MeterDeps,
): SpeechModel {
  const use = { part: "speech", provider, model: modelName, ...NOTHING } as const;
  return {
    name: model.name,
    async open(request) {
      let samples = 0;
      let askedMs: number | null = null;
      let tokens = { inputTokens: 0, outputTokens: 0 };
      const take = () => {
        const used = { ...tokens, audioMs: samples / SAMPLES_PER_MS };
        samples = 0;
        tokens = { inputTokens: 0, outputTokens: 0 };
        return used;
      };
      const follow = (event: SpeechModelEvent) => {
        if (event.type === "callee_stopped") askedMs = clock.now();
        else if (event.type === "used") {
          tokens = {
            inputTokens: tokens.inputTokens + event.inputTokens,
            outputTokens: tokens.outputTokens + event.outputTokens,
          };
        } else if (event.type === "audio") {
          samples += event.samples.length;
          if (askedMs !== null) note({ ...use, ...take(), firstResultMs: clock.now() - askedMs });
          askedMs = null;
        } else if (event.type === "failed" || (event.type === "reply_done" && event.failure !== null)) {
          note({ ...use, ...take(), hasFailed: true });
          askedMs = null;
        }
        request.onEvent(event);
      };
      try {
        const session = await model.open({ ...request, onEvent: follow });
        return {
          hear(heard) {
            samples += heard.length;
            session.hear(heard);
          },
          reply(instructions) {
            askedMs = clock.now();
            session.reply(instructions);
          },
          remind: (instructions) => session.remind(instructions),
          interrupt(itemId, heard) {
            askedMs = null;
            session.interrupt(itemId, heard);
          },
          inform: (text) => session.inform(text),
          changeLanguage: (language, instructions) => session.changeLanguage(language, instructions),
          answer: (callId, output, isLast) => session.answer(callId, output, isLast),
          close(why) {
            session.close(why);
            const rest = take();
            if (why === "silent") note({ ...use, ...rest, hasFailed: true });
            else if (rest.audioMs + rest.inputTokens + rest.outputTokens > 0) note({ ...use, ...rest });
          },
        };
      } catch (error) {
        note({ ...use, hasFailed: true });
        throw error;
      }
    },
    close: () => model.close(),
  };
}
