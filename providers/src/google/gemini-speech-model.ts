import { levelDbfsOf } from "@parley/audio/level";
import { createRateConverter, type RateConverter } from "@parley/audio/rate-converter";
import type { Clock } from "@parley/time/clock";
import { NamedTimers } from "@parley/time/named-timers";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechModel, SpeechModelRequest, SpeechModelSession } from "@parley/voice/ports/speech-model";
import { LiveConnection, type LiveServerContent, type LiveServerMessage } from "./gemini-live-connection.ts";

interface GeminiSpeechModelOptions {
  readonly apiKey: string;
  readonly clock: Clock;
  /** With the version, as for the language models. */
  readonly baseUrl?: string;
  readonly model?: string;
}

const PROVIDER = "gemini-live";
const MODEL = "gemini-3.8-live";

/** Gemini's Live API as a model that hears and speaks. Needs PARLEY_GOOGLE_API_KEY. */
export function createGeminiSpeechModel(options: GeminiSpeechModelOptions): SpeechModel {
  const sessions = new Set<GeminiSession>();
  let isClosed = false;
  return {
    name: PROVIDER,
    async open(request) {
      if (isClosed) throw new ProviderError(PROVIDER, "Google was closed.", { retryable: false });
      const session: GeminiSession = new GeminiSession(options, request, () => sessions.delete(session));
      sessions.add(session);
      await session.connect();
      return session;
    },
    async close() {
      isClosed = true;
      for (const session of [...sessions]) session.close();
    },
  };
}

/** A turn of the model. */
interface Turn {
  itemId: string;
  /** It was requested, and did not follow from what the callee said. */
  readonly isAsked: boolean;
  isWanted: boolean;
  /** All of its audio has been received. Its end follows when Google supposes that it was played. */
  isGenerated: boolean;
  isReported: boolean;
  converter: RateConverter | null;
}

/** A turn of the callee. */
interface CalleeTurn {
  readonly itemId: string;
  text: string;
  stoppedMs: number | null;
}

interface FunctionCall {
  readonly name: string;
  /** The calls of the same message are answered together. */
  readonly batch: { open: number; readonly responses: object[]; isSilent: boolean };
  isWithdrawn: boolean;
}

const IN_RATE_HZ = 16_000;
const OUT_RATE_HZ = 24_000;
/** What is upsampled may be speech. It only dates what Google has detected. */
const LOUD_DBFS = -42;
/** Pauses shorter than this are between words. */
const PAUSE_MS = 600;
/** The callee's turn is over by then, even if the model does not reply to it. */
const STOPPED_AFTER_MS = 1_200;
/** Transcripts may end after the turn. */
const TRANSCRIPT_WITHIN_MS = 500;
/** An interruption by speech is reported so soon after the speech. */
const SPEECH_MEMORY_MS = 1_500;
/** Longer than Google takes to end a turn that was interrupted. Then it counts as ended. */
const STOP_WITHIN_MS = 700;
/** Before the announced end of a connection, for opening the next. */
const MOVE_BEFORE_MS = 3_000;
const ITEMS_MAX = 20;

/**
 * The API numbers nothing: what arrives belongs to the turn in progress, and a turn ends with `turnComplete`, also when it was
 * interrupted. Every text from here interrupts the model, and it cannot be stopped otherwise. Therefore a reply waits until
 * the turn before it has ended, and notes wait until the model does not speak, unless they are to stop it.
 */
class GeminiSession implements SpeechModelSession {
  readonly #request: SpeechModelRequest;
  readonly #connection: LiveConnection;
  readonly #timers: NamedTimers<"said" | "stop" | "move">;
  readonly #upsampler = createRateConverter(8_000, IN_RATE_HZ);
  readonly #texts = new Map<string, string>();
  readonly #calls = new Map<string, FunctionCall>();
  #count = 0;
  #isOpen = false;
  #turn: Turn | null = null;
  /** A reply that was requested and has not begun. */
  #asked: { isWanted: boolean } | null = null;
  #owed: string[] = [];
  #notes: string[] = [];
  /** Whether it was asked to reply. Before that, it hears nothing. */
  #isListening = false;
  #callee: CalleeTurn | null = null;
  /** The callee's turn is over, and the reply to it has not begun. */
  #reply: "due" | "unwanted" | null = null;
  #wasInterrupted = false;
  /** A text was sent that may interrupt the turn in progress. */
  #hasSentText = false;
  #heardSamples = 0;
  /** The last stretch of loud audio of the callee, and the end of their last turn. */
  #loud = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.NEGATIVE_INFINITY };
  #calleeEndMs = 0;
  #isMoveDue = false;

  constructor(options: GeminiSpeechModelOptions, request: SpeechModelRequest, onClosed: () => void) {
    this.#request = request;
    this.#timers = new NamedTimers(options.clock);
    const { apiKey, clock, baseUrl, model = MODEL } = options;
    this.#connection = new LiveConnection({
      ...{ provider: PROVIDER, apiKey, clock, baseUrl, setup: setupOf(request, model) },
      onMessage: (message) => this.#handle(message),
      onLost: (error) => {
        if (this.#isOpen) request.onEvent({ type: "failed", error });
      },
      onEnded: () => {
        this.#timers.cancelAll();
        onClosed();
      },
    });
  }

  async connect(): Promise<void> {
    await this.#connection.connect();
    this.#isOpen = true;
  }

  hear(samples: Int16Array): void {
    this.#heardSamples += samples.length;
    // The model would reply to it, and there is no way to keep it from that.
    if (!this.#isListening) return;
    const nowMs = this.#nowMs;
    if (levelDbfsOf(samples) > LOUD_DBFS) {
      const isNew = nowMs - this.#loud.endMs > PAUSE_MS;
      this.#loud = { startMs: isNew ? nowMs - samples.length / 8 : this.#loud.startMs, endMs: nowMs };
    }
    const upsampled = this.#upsampler.process(samples);
    const data = Buffer.from(upsampled.buffer, upsampled.byteOffset, upsampled.byteLength).toString("base64");
    this.#connection.send({ realtimeInput: { audio: { mimeType: `audio/pcm;rate=${IN_RATE_HZ}`, data } } });
    if (this.#callee?.stoppedMs === null && nowMs - this.#loud.endMs >= STOPPED_AFTER_MS) this.#stopCallee();
    if (this.#isMoveDue) this.#moveWhenIdle();
  }

  reply(instructions: string): void {
    this.#isListening = true;
    this.#owed.push(instructions);
    this.#proceed();
  }

  remind(instructions: string): void {
    if (!this.#isBlocked && this.#owed.length === 0) this.reply(instructions);
  }

  interrupt(itemId: string | null, heard: { readonly ms: number; readonly text: string }): void {
    this.#owed = [];
    const turn = this.#turn;
    const isSpeaking = turn !== null && !turn.isGenerated;
    const text = itemId === null ? undefined : this.#texts.get(itemId);
    const isKnown = text !== undefined || (isSpeaking && turn.isWanted) || this.#asked !== null;
    const isComplete = text !== undefined && text.trim() === heard.text.trim();
    if (turn !== null && isSpeaking) turn.isWanted = false;
    else if (this.#asked) this.#asked.isWanted = false;
    else if (this.#reply === "due") this.#reply = "unwanted";
    if (isKnown && (!isComplete || (isSpeaking && turn.itemId === itemId))) this.#notes.push(noteOfHeard(heard.text));
    else if (this.#reply === "unwanted") this.#notes.push("Do not reply to that.");
    this.#sendNotes();
    if (this.#isBlocked) this.#timers.set("stop", STOP_WITHIN_MS, () => this.#forgetUnwanted());
  }

  inform(text: string): void {
    this.#notes.push(text);
    this.#proceed();
  }

  changeLanguage(): void {
    // A session cannot be changed, and need not be: the model hears all languages, and the function told it which to speak.
  }

  answer(callId: string, output: unknown, isLast: boolean): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    this.#calls.delete(callId);
    const { name, batch } = call;
    if (call.isWithdrawn) {
      return this.inform(
        `The function ${name} was carried out although you withdrew it: ${JSON.stringify(output ?? null)}`,
      );
    }
    batch.open -= 1;
    batch.isSilent ||= isLast;
    batch.responses.push({ id: callId, name, response: { output: output ?? null } });
    if (batch.open === 0) this.#sendResponses(batch);
  }

  close(): void {
    this.#connection.close();
  }

  get #nowMs(): number {
    return this.#heardSamples / 8;
  }

  /** Something is in progress at Google that has to end before the next reply. */
  get #isBlocked(): boolean {
    return (this.#turn !== null && !this.#turn.isGenerated) || this.#asked !== null || this.#reply === "unwanted";
  }

  #newId(): string {
    this.#count += 1;
    return `item_${this.#count}`;
  }

  #sendResponses({ responses, isSilent }: FunctionCall["batch"]): void {
    // Models that wait for functions ignore how the response is scheduled.
    const scheduling = isSilent ? "SILENT" : "WHEN_IDLE";
    const functionResponses = responses.map((response) => ({ ...response, scheduling }));
    this.#connection.send({ toolResponse: { functionResponses } });
    const turn = this.#turn;
    const isWaiting = turn !== null && !turn.isGenerated;
    if (isSilent) {
      if (!isWaiting) return;
      turn.isWanted = false;
      this.#notes.push("Say nothing about this result until you are asked to.");
      this.#sendNotes();
      return this.#timers.set("stop", STOP_WITHIN_MS, () => this.#forgetUnwanted());
    }
    if (!isWaiting) this.#asked ??= { isWanted: true };
    else if (turn.isReported) this.#turn = { ...newTurn(this.#newId()), isAsked: true };
  }

  /** What comes next, if the model does not speak. */
  #proceed(): void {
    if (this.#isBlocked) return;
    const next = this.#owed.shift();
    if (next === undefined) return this.#sendNotes();
    this.#asked = { isWanted: true };
    this.#sendText([...this.#notes.splice(0).map(asNote), asInstruction(next)], true);
  }

  #sendNotes(): void {
    if (this.#notes.length > 0) this.#sendText(this.#notes.splice(0).map(asNote), false);
  }

  #sendText(texts: readonly string[], turnComplete: boolean): void {
    const turns = [{ role: "user", parts: texts.map((text) => ({ text })) }];
    this.#hasSentText = true;
    this.#connection.send({ clientContent: { turns, turnComplete } });
  }

  /** Google did not end what was stopped: it may not have begun it. */
  #forgetUnwanted(): void {
    if (this.#turn?.isWanted === false) this.#turn = null;
    if (this.#asked?.isWanted === false) this.#asked = null;
    if (this.#reply === "unwanted") this.#reply = null;
    this.#proceed();
  }

  #handle(message: LiveServerMessage): void {
    const { usageMetadata, voiceActivity, toolCallCancellation, serverContent, toolCall, goAway } = message;
    if (usageMetadata) this.#reportUsage(usageMetadata);
    if (voiceActivity?.voiceActivityType === "ACTIVITY_START") this.#startCallee();
    if (voiceActivity?.voiceActivityType === "ACTIVITY_END") this.#stopCallee();
    for (const id of toolCallCancellation?.ids ?? []) this.#withdraw(id);
    if (serverContent) this.#handleContent(serverContent);
    if (toolCall?.functionCalls?.length) this.#callFunctions(toolCall.functionCalls);
    if (goAway) this.#leaveConnection(goAway.timeLeft ?? "0s");
    if (this.#isMoveDue) this.#moveWhenIdle();
  }

  #handleContent(content: LiveServerContent): void {
    if (content.inputTranscription?.text) this.#understand(content.inputTranscription.text);
    if (content.interrupted) this.#handleInterruption();
    for (const { inlineData } of content.modelTurn?.parts ?? []) {
      const { data, mimeType = "" } = inlineData ?? {};
      if (data && mimeType.startsWith("audio/pcm")) this.#speak(data, mimeType);
    }
    if (content.outputTranscription?.text) this.#addText(content.outputTranscription.text);
    if (content.generationComplete) this.#completeGeneration();
    if (content.turnComplete) this.#completeTurn();
  }

  /** The turn in progress, or a new one. */
  #turnOfContent(): Turn {
    if (this.#turn !== null && !this.#turn.isGenerated) return this.#turn;
    const asked = this.#asked;
    this.#asked = null;
    const turn = newTurn(this.#newId());
    if (asked) this.#turn = { ...turn, isAsked: true, isWanted: asked.isWanted };
    else {
      // It replies to the callee, even if no word of the callee is known yet.
      if (this.#callee === null && this.#loud.endMs > this.#calleeEndMs) this.#startCallee();
      this.#stopCallee();
      this.#turn = { ...turn, isWanted: this.#reply !== "unwanted" };
    }
    this.#reply = null;
    return this.#turn;
  }

  #speak(data: string, mimeType: string): void {
    const turn = this.#turnOfContent();
    if (!turn.isWanted) return;
    const rateHz = Number(/rate=(\d+)/.exec(mimeType)?.[1] ?? OUT_RATE_HZ);
    turn.converter ??= createRateConverter(rateHz, 8_000);
    const bytes = Buffer.from(data, "base64");
    const pcm = Int16Array.from({ length: Math.floor(bytes.length / 2) }, (_, index) => bytes.readInt16LE(2 * index));
    this.#reportAudio(turn, turn.converter.process(pcm));
  }

  #reportAudio({ itemId }: Turn, samples: Int16Array): void {
    if (!this.#texts.has(itemId)) this.#texts.set(itemId, "");
    if (samples.length > 0) this.#request.onEvent({ type: "audio", itemId, samples });
  }

  #addText(text: string): void {
    // Words of a turn may come after all of its audio.
    const turn = this.#turn?.isGenerated && this.#asked === null ? this.#turn : this.#turnOfContent();
    if (!turn.isWanted) return;
    const { itemId } = turn;
    this.#texts.set(itemId, (this.#texts.get(itemId) ?? "") + text);
    for (const old of [...this.#texts.keys()].slice(0, -ITEMS_MAX)) this.#texts.delete(old);
    this.#request.onEvent({ type: "text", itemId, text });
  }

  #callFunctions(calls: NonNullable<NonNullable<LiveServerMessage["toolCall"]>["functionCalls"]>): void {
    const turn = this.#turnOfContent();
    if (!turn.isWanted) return;
    const batch = { open: calls.length, responses: [], isSilent: false };
    for (const { id = this.#newId(), name = "", args = {} } of calls) {
      this.#calls.set(id, { name, batch, isWithdrawn: false });
      this.#request.onEvent({ type: "function_called", callId: id, name, input: args });
    }
    this.#report(turn);
  }

  /** Its effects may have happened: the model gets the result as a note. */
  #withdraw(callId: string): void {
    const call = this.#calls.get(callId);
    if (call === undefined || call.isWithdrawn) return;
    call.isWithdrawn = true;
    call.batch.open -= 1;
    if (call.batch.open === 0 && call.batch.responses.length > 0) this.#sendResponses(call.batch);
  }

  #handleInterruption(): void {
    const turn = this.#turn;
    this.#wasInterrupted = turn === null;
    const isByText = this.#hasSentText && this.#nowMs - this.#loud.endMs >= SPEECH_MEMORY_MS;
    if (!isByText) return this.#startCallee();
    // A text from here has interrupted a reply that had just begun: what was requested is still to come.
    if (turn === null || !turn.isWanted || turn.isGenerated || this.#asked !== null) return;
    if (turn.isAsked) {
      this.#asked = { isWanted: true };
      turn.isWanted = false;
    }
  }

  #completeGeneration(): void {
    const turn = this.#turn;
    if (turn === null || turn.isGenerated) return;
    turn.isGenerated = true;
    if (turn.isWanted && turn.converter) this.#reportAudio(turn, turn.converter.flush());
    this.#report(turn);
    this.#proceed();
  }

  #completeTurn(): void {
    const turn = this.#turn;
    this.#turn = null;
    this.#timers.cancel("stop");
    if (turn !== null) this.#report(turn);
    else if (this.#asked !== null && !this.#wasInterrupted) {
      // It has nothing to say.
      const { isWanted } = this.#asked;
      this.#asked = null;
      if (isWanted) this.#request.onEvent({ type: "reply_done", failure: null });
    } else if (this.#asked?.isWanted === false) this.#asked = null;
    this.#wasInterrupted = false;
    this.#hasSentText = false;
    if (this.#callee !== null && this.#callee.stoppedMs !== null) this.#reportSaid();
    this.#proceed();
  }

  #report(turn: Turn): void {
    if (!turn.isWanted || turn.isReported) return;
    turn.isReported = true;
    this.#request.onEvent({ type: "reply_done", failure: null });
  }

  #startCallee(): void {
    if (this.#callee?.stoppedMs === null) return;
    this.#reportSaid();
    const callee: CalleeTurn = { itemId: this.#newId(), text: "", stoppedMs: null };
    this.#callee = callee;
    const atMs = Math.max(this.#calleeEndMs, Math.min(this.#loud.startMs, this.#nowMs));
    this.#request.onEvent({ type: "callee_started", itemId: callee.itemId, atMs });
  }

  #stopCallee(): void {
    const callee = this.#callee;
    if (callee === null || callee.stoppedMs !== null) return;
    this.#calleeEndMs = Math.max(this.#calleeEndMs, this.#loud.endMs);
    callee.stoppedMs = this.#calleeEndMs;
    if (this.#turn === null) this.#reply ??= "due";
    this.#request.onEvent({ type: "callee_stopped", itemId: callee.itemId, atMs: callee.stoppedMs });
    if (callee.text !== "") this.#timers.set("said", TRANSCRIPT_WITHIN_MS, () => this.#reportSaid());
  }

  #understand(text: string): void {
    const isNew = this.#loud.endMs > this.#calleeEndMs;
    const callee = this.#callee;
    if (callee === null || (callee.stoppedMs !== null && isNew && this.#loud.startMs > callee.stoppedMs)) {
      // The rest of a transcript that was reported.
      if (!isNew) return;
      this.#startCallee();
    }
    if (this.#callee === null) return;
    this.#callee.text += text;
    if (this.#callee.stoppedMs !== null) this.#timers.set("said", TRANSCRIPT_WITHIN_MS, () => this.#reportSaid());
  }

  #reportSaid(): void {
    this.#timers.cancel("said");
    const callee = this.#callee;
    if (callee === null) return;
    this.#callee = null;
    this.#request.onEvent({ type: "callee_said", itemId: callee.itemId, text: callee.text.trim() });
  }

  #reportUsage(usage: Readonly<Record<string, unknown>>): void {
    const tokens = (name: string) => Number(usage[name] ?? 0);
    const inputTokens = tokens("promptTokenCount") + tokens("toolUsePromptTokenCount");
    const outputTokens = tokens("responseTokenCount") + tokens("thoughtsTokenCount");
    if (inputTokens + outputTokens > 0) this.#request.onEvent({ type: "used", inputTokens, outputTokens });
  }

  /** The connection ends soon: the session continues on another one, at the latest shortly before that. */
  #leaveConnection(timeLeft: string): void {
    if (!this.#connection.hasHandle) return;
    this.#isMoveDue = true;
    this.#timers.set("move", 1_000 * (Number.parseFloat(timeLeft) || 0) - MOVE_BEFORE_MS, () => this.#move());
  }

  #moveWhenIdle(): void {
    const isQuiet = this.#nowMs - this.#loud.endMs >= PAUSE_MS && this.#callee?.stoppedMs !== null;
    const isIdle = this.#turn === null && this.#asked === null && this.#reply === null && this.#calls.size === 0;
    if (isQuiet && isIdle && this.#connection.isResumable) this.#move();
  }

  #move(): void {
    this.#isMoveDue = false;
    this.#timers.cancel("move");
    const isTurnLost = this.#turn?.isWanted === true && !this.#turn.isReported;
    const isAskedLost = this.#asked?.isWanted === true;
    this.#turn = null;
    this.#asked = null;
    this.#reply = null;
    for (const id of this.#calls.keys()) this.#withdraw(id);
    void this.#connection.move();
    if (isTurnLost || isAskedLost) {
      const failure = new ProviderError(PROVIDER, "Google ended the connection during a reply.", { retryable: true });
      this.#request.onEvent({ type: "reply_done", failure });
    }
    this.#proceed();
  }
}

function newTurn(itemId: string): Turn {
  return { itemId, isAsked: false, isWanted: true, isGenerated: false, isReported: false, converter: null };
}

function setupOf(
  { instructions, tools, language, voiceId, isInterruptible }: SpeechModelRequest,
  model: string,
): object {
  const speechConfig = { voiceConfig: { prebuiltVoiceConfig: { voiceName: voiceId } } };
  // The language of the voice cannot be set: the model speaks all of them.
  const languageName = new Intl.DisplayNames("en", { type: "language" }).of(language) ?? language;
  const about = `You speak ${languageName} on the telephone. What the callee says, you hear. Texts come from the telephone system: the callee does not know them, so follow them without mentioning them.`;
  const functionDeclarations = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parametersJsonSchema: inputSchema,
  }));
  return {
    model: `models/${model}`,
    generationConfig: { responseModalities: ["AUDIO"], ...(voiceId === "" ? {} : { speechConfig }) },
    systemInstruction: { parts: [{ text: `${instructions}\n\n${about}` }] },
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations }] }),
    realtimeInputConfig: { activityHandling: isInterruptible ? "START_OF_ACTIVITY_INTERRUPTS" : "NO_INTERRUPTION" },
    inputAudioTranscription: {},
    outputAudioTranscription: {},
    contextWindowCompression: { slidingWindow: {} },
  };
}

function noteOfHeard(text: string): string {
  if (text.trim() === "") return "You were stopped. The callee has heard nothing of your last reply.";
  return `You were stopped. Of your last reply the callee has heard only this: "${text.trim()}"`;
}

function asNote(text: string): string {
  return `[Note of the telephone system: ${text}]`;
}

function asInstruction(text: string): string {
  return `[Instruction of the telephone system for your next reply: ${text}]`;
}
