import type { ConversationNode } from "@parley/contract/flow-conversation";
import { whyNotOneConversation } from "@parley/flow/one-conversation";
import { waitFor } from "@parley/time/within";
import { codeOf } from "../languages/identification/identify-language.ts";
import type { ReplyPart } from "../ports/brain.ts";
import type { ModelTool } from "../ports/language-model.ts";
import type {
  FunctionOutcome,
  FunctionRequest,
  ScriptNote,
  ScriptStep,
  SpeechOpening,
  SpeechScript,
} from "../ports/speech-model.ts";
import { plainText } from "../ports/speech-notation.ts";
import { joinTexts } from "../turns/replies/heard-text.ts";
import { type CallContext, farewellOf, isInterruptible, openContext, phrase, say, speak } from "./call-context.ts";
import { currentContext } from "./callee-language.ts";
import type { FlowRunnerOptions } from "./flow-runner.ts";
import { BEGINNING, type FlowState } from "./flow-state.ts";
import { recordOf } from "./model/converse.ts";
import {
  COMMON_MANNERS,
  exitOfTool,
  instructionsFor,
  outputOf,
  schemaOf,
  toolNamed,
  toolsFor,
} from "./model/instructions.ts";
import { decided, type Outcome, OVER } from "./outcome.ts";
import { respondToTurn } from "./respond-to-turn.ts";
import { resumeConversed, resumeDialed, resumeRequested } from "./resume-flow.ts";
import { prepareToolCall } from "./tools/prepare-request.ts";
import { valueOfKind } from "./tools/save-values.ts";
import { ToolLedger } from "./tools/tool-ledger.ts";
import { collect, disclosureText, enterNode, giveUp } from "./walk-flow.ts";

export type SpeechScriptOptions = Pick<
  FlowRunnerOptions,
  | "plan"
  | "call"
  | "language"
  | "spoken"
  | "variables"
  | "toolCaller"
  | "mcpFunctions"
  | "mayDial"
  | "timers"
  | "signal"
  | "noteFault"
>;

/** Built-in functions. Names in a flow are lower case, so these never collide with one. */
const SAVE_VALUES = "SAVE_VALUES";
const HANG_UP = "HANG_UP";
const STOP_CALLING = "STOP_CALLING";
const PRESS_KEYS = "PRESS_KEYS";
const CHANGE_LANGUAGE = "CHANGE_LANGUAGE";

const DIAL_MS = 5_000;
const TURNS_MAX = 30;
/** After more steps than this the flow is looping. */
const STEPS_MAX = 20;

/**
 * An agent that is one conversation, for a model that hears and speaks. What is around the conversation (the opening, what
 * follows from its exits, limits, callees who want no more calls) is decided by the flow as in any other call. Throws when
 * the flow is more than one conversation.
 */
export function createSpeechScript(options: SpeechScriptOptions): SpeechScript {
  return new FlowScript(options);
}

class FlowScript implements SpeechScript {
  readonly #options: SpeechScriptOptions;
  /** In the language of the agent. */
  readonly #ownContext: CallContext;
  readonly #node: ConversationNode;
  readonly #ledger: ToolLedger;
  #state: FlowState = BEGINNING;
  #note: (note: ScriptNote) => void = () => undefined;
  /** Steps are carried out one after the other: each begins where the one before it has led. */
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(options: SpeechScriptOptions) {
    const { plan, call, language, spoken = [], variables, toolCaller: caller, timers, signal } = options;
    const { mcpFunctions = [] } = options;
    this.#options = options;
    this.#node = conversationOf([...plan.nodes.values()]);
    this.#ownContext = openContext(plan, call, language, variables, { hasModel: true, mcpFunctions, spoken });
    this.#ledger = new ToolLedger({ caller, timers, signal });
  }

  get language(): string {
    return this.#context.language;
  }

  get instructions(): string {
    const { prompt, exits, saves = [] } = this.#node;
    const conditions = exits.map(({ when }) => when);
    const saving =
      saves.length === 0 ? [] : [`Call ${SAVE_VALUES} as soon as the callee has said one of these values:`];
    const values = saves.map(({ saveAs, description }) => `- ${saveAs}${description ? `: ${description}` : ""}`);
    const others = this.#otherLanguages.map(({ language }) => titleOf(language)).join(" or ");
    const changing =
      others === ""
        ? []
        : [`If the callee speaks ${others}, or asks for it, call ${CHANGE_LANGUAGE} before you reply.`];
    return [
      instructionsFor(this.#context, this.#state, prompt, conditions, mannersIn(this.language)),
      ...changing,
      ...saving,
      ...values,
    ].join("\n");
  }

  get tools(): readonly ModelTool[] {
    const { saves = [] } = this.#node;
    const properties = saves.map(({ saveAs, kind = "text", description }) => ({
      name: saveAs,
      kind,
      description,
      isRequired: false,
    }));
    const text = (name: string, description: string) =>
      ({ name, kind: "text", description, isRequired: true }) as const;
    return [
      ...toolsFor(this.#context, this.#state, this.#node),
      ...(saves.length === 0
        ? []
        : [{ name: SAVE_VALUES, description: "Notes what the callee has said.", inputSchema: schemaOf(properties) }]),
      {
        name: HANG_UP,
        description:
          "Ends the call when the callee says goodbye or does not want to go on, if none of the other functions applies.",
        inputSchema: schemaOf([]),
      },
      {
        name: STOP_CALLING,
        description: "The callee does not want to be called again, ever. Says so and ends the call.",
        inputSchema: schemaOf([]),
      },
      ...(this.#ownContext.others.length === 0
        ? []
        : [
            {
              name: CHANGE_LANGUAGE,
              description: "The callee speaks another language. From then on, the call goes on in it.",
              inputSchema: schemaOf([text("language", `One of ${this.#languageTags.join(", ")}.`)]),
            },
          ]),
      ...(this.#mayPressKeys
        ? [
            {
              name: PRESS_KEYS,
              description: "Presses keys of the telephone, for a phone menu.",
              inputSchema: schemaOf([text("keys", "Digits, * and #.")]),
            },
          ]
        : []),
    ];
  }

  get isInterruptible(): boolean {
    return isInterruptible(this.#context, this.#node);
  }

  get silencePrompts(): readonly string[] {
    const { plan, texts } = this.#context;
    const prompts = plan.settings.silence?.prompts ?? texts.silencePrompts;
    return prompts.map((text) => plainText(speak(this.#context, { collected: {} }, text)));
  }

  get farewell(): string {
    return plainText(farewellOf(this.#context));
  }

  get apology(): string {
    return this.#context.texts.brokenOff;
  }

  begin(note: (note: ScriptNote) => void): SpeechOpening {
    this.#note = note;
    const outcome = enterNode(this.#context, this.#state, this.#options.plan.startId);
    const { say: text } = this.#take(outcome);
    const disclosure = disclosureText(this.#context);
    return {
      text,
      mustHear: disclosure === null ? null : plainText(disclosure),
      goesOn: outcome.waitsFor.type === "converse",
    };
  }

  permitEffects(): void {
    this.#ledger.permit();
  }

  async call(request: FunctionRequest): Promise<FunctionOutcome> {
    const { name } = request;
    const tool = toolNamed(this.#context, this.#node, name);
    // A slow request holds up nothing else.
    if (tool !== null) return this.#request(request);
    return this.#inOrder(
      () => this.#carryOut(request),
      (step) => ({ output: { ok: true }, ...step }),
    );
  }

  hear(text: string): Promise<ScriptStep | null> {
    return this.#inOrder(
      async () => {
        const heard = respondToTurn(this.#context, this.#state, { type: "said", text, best: null });
        const { at } = heard.state;
        if (heard.waitsFor.type !== "converse" || at.name !== "conversing") return this.#follow(heard);
        this.#state = heard.state;
        if (at.turns <= (this.#node.turnsMax ?? TURNS_MAX)) return null;
        return this.#follow(this.#leave());
      },
      (step) => (step === null || (step.say === null && step.next === null) ? null : step),
    );
  }

  meetMachine(kind: "voicemail" | "ivr" | "screening"): Promise<ScriptStep> {
    return this.#inOrder(
      () => this.#follow(respondToTurn(this.#context, this.#state, { type: "machine", kind })),
      (step) => step,
    );
  }

  failTransfer(): Promise<ScriptStep> {
    return this.#inOrder(
      () => this.#follow(respondToTurn(this.#context, this.#state, { type: "transfer_failed", reason: "" })),
      (step) => step,
    );
  }

  /** In the language of the call now. */
  get #context(): CallContext {
    return currentContext(this.#ownContext, this.#state);
  }

  /** Those to which the call can change now. */
  get #otherLanguages(): readonly CallContext[] {
    return [this.#ownContext, ...this.#ownContext.others].filter(({ language }) => language !== this.language);
  }

  get #languageTags(): readonly string[] {
    return [this.#ownContext, ...this.#ownContext.others].map(({ language }) => language);
  }

  get #mayPressKeys(): boolean {
    const { plan } = this.#options;
    return plan.settings.phoneMenu !== undefined || [...plan.nodes.values()].some(({ type }) => type === "dtmf");
  }

  /** A bug in a step ends the call politely, like one in any other conversation. */
  #inOrder<Step, Result>(work: () => Promise<Step>, done: (step: Step | ScriptStep) => Result): Promise<Result> {
    const step = this.#lastStep.then(work).catch((error: unknown): ScriptStep => {
      this.#options.noteFault(error, "agent_failed");
      return this.#take(giveUp(this.#context, this.#state));
    });
    this.#lastStep = step;
    return step.then(done);
  }

  async #carryOut({ name, input }: FunctionRequest): Promise<FunctionOutcome> {
    const values = recordOf(input);
    const exit = exitOfTool(name);
    const { id: nodeId } = this.#node;
    if (exit !== null && exit < this.#node.exits.length) return answered(await this.#follow(this.#exit(exit, values)));
    switch (name) {
      case SAVE_VALUES:
        return this.#save(values);
      case HANG_UP: {
        const by = { nodeId, taken: "request", result: "hang_up", evidence: "model", score: null } as const;
        return answered(await this.#follow(decided(by, this.#leave())));
      }
      case STOP_CALLING:
        return answered(await this.#follow(this.#stopCalling()));
      case PRESS_KEYS: {
        const keys = String(values.keys ?? "").replaceAll(/[^0-9*#]/g, "");
        if (keys === "" || !this.#mayPressKeys) return refused("there are no keys to press");
        return { output: { ok: true }, say: null, next: { type: "press", keys } };
      }
      case CHANGE_LANGUAGE:
        return this.#changeLanguage(String(values.language ?? ""));
      default:
        return refused("there is no such function");
    }
  }

  /** What was said before may not have been understood, so the disclosure is due again in the other language. */
  #changeLanguage(wanted: string): FunctionOutcome {
    const other = this.#otherLanguages.find(({ language }) => codeOf(language) === codeOf(wanted));
    if (other === undefined) return refused(`the language must be one of ${this.#languageTags.join(", ")}`);
    const { id: nodeId } = this.#node;
    const { languages } = this.#state;
    const isOwn = other === this.#ownContext;
    const code = codeOf(other.language);
    const isNew = !isOwn && !languages.noticed.includes(code);
    const noticed = isNew ? [...languages.noticed, code] : languages.noticed;
    const changed = { ...languages, current: isOwn ? null : other.language, noticed, suspected: null, offer: null };
    this.#state = { ...this.#state, languages: changed };
    if (isNew) this.#note({ type: "language_noticed", language: code });
    const by = { nodeId, taken: "request", result: other.language, evidence: "model", score: null } as const;
    this.#note({ type: "decided", decision: by });
    const disclosure = isOwn ? null : disclosureText(other);
    const first = disclosure === null ? "" : plainText(disclosure);
    const output = {
      ok: true,
      language: titleOf(other.language),
      next: `Speak ${titleOf(other.language)} from now on.${first === "" ? "" : ` Begin with exactly these words: "${first}"`}`,
    };
    return { output, say: null, next: null, ...(first === "" ? {} : { mustHear: first }) };
  }

  /** What was noted before counts unless the exit says otherwise. */
  #exit(exit: number, values: Readonly<Record<string, unknown>>): Outcome {
    const all = Object.fromEntries(
      (this.#node.saves ?? []).map(({ saveAs }) => [saveAs, values[saveAs] ?? this.#state.collected[saveAs]]),
    );
    return resumeConversed(this.#context, this.#state, { type: "left", exit, values: all });
  }

  #leave(): Outcome {
    const { otherwise } = this.#node;
    if (otherwise !== undefined) return enterNode(this.#context, this.#state, otherwise, "otherwise");
    return this.#endWith(say(phrase(this.#context, "farewell"), false));
  }

  #stopCalling(): Outcome {
    const { id: nodeId } = this.#node;
    const by = { nodeId, taken: "request", result: "stop_calling", evidence: "model", score: null } as const;
    return decided(by, this.#endWith([{ type: "suppress" }, ...say(phrase(this.#context, "do_not_call"), false)]));
  }

  #endWith(parts: readonly ReplyPart[]): Outcome {
    const state: FlowState = { ...this.#state, at: { name: "ended" } };
    return { state, parts: [...parts, { type: "end", reason: "finished" }], waitsFor: OVER };
  }

  /** Values of the wrong kind are refused with what they must be, and asked for again by the model. */
  #save(values: Readonly<Record<string, unknown>>): FunctionOutcome {
    const saved: Record<string, string | number | boolean> = {};
    const wrong: Record<string, string> = {};
    for (const { saveAs, kind = "text" } of this.#node.saves ?? []) {
      const raw = values[saveAs];
      if (raw === undefined || raw === null) continue;
      const value = valueOfKind(raw, kind);
      if (value === null) wrong[saveAs] = MUST_BE[kind];
      else saved[saveAs] = value;
    }
    const kept = collect(this.#state, saved);
    this.#take({ ...kept, waitsFor: { type: "listen" } });
    const output = { ok: Object.keys(wrong).length === 0, saved, ...(Object.keys(wrong).length > 0 ? { wrong } : {}) };
    return { output, say: null, next: null };
  }

  async #request({ id: givenId, name, input }: FunctionRequest): Promise<FunctionOutcome> {
    const tool = toolNamed(this.#context, this.#node, name);
    if (tool === null) return refused("there is no such function");
    const { signal } = this.#options;
    const permitted = await this.#ledger.waitForPermit(null, signal);
    if (permitted.type !== "done") return refused("the call is over");
    const known = { ...this.#context.variables, ...this.#state.collected };
    const { id, isNew } = this.#ledger.begin(givenId, prepareToolCall(tool, known, recordOf(input)));
    if (isNew) this.#note({ type: "tool_call", id, name, input });
    const waited = await this.#ledger.wait(id, null, signal);
    this.#reportResults();
    if (waited.type !== "done") return refused("the call is over");
    return { output: outputOf(waited.value), say: null, next: null };
  }

  #reportResults(): void {
    for (const { id, name, outcome } of this.#ledger.takeUnreported()) {
      this.#note({ type: "tool_result", id, name, output: outputOf(outcome), ok: outcome.ok });
    }
  }

  /** Walks through the flow until the model speaks again, or the call ends. */
  async #follow(first: Outcome): Promise<ScriptStep> {
    let outcome = first;
    let step = this.#take(outcome);
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const after = await this.#perform(outcome);
      if (after === null) return step;
      outcome = after;
      const { say: text, next } = this.#take(outcome);
      step = { say: joinTexts([step.say ?? "", text ?? ""]) || null, next: next ?? step.next };
    }
    return step;
  }

  /** What the flow waits for; null when it is the callee's turn, or the end. */
  async #perform({ waitsFor: wait }: Outcome): Promise<Outcome | null> {
    const { timers, signal, mayDial } = this.#options;
    if (wait.type === "request") {
      const permitted = await this.#ledger.waitForPermit(null, signal);
      if (permitted.type !== "done") return null;
      const { id, isNew } = this.#ledger.begin(wait.callId, wait.request);
      const { name, method, url, body } = wait.request;
      if (isNew) this.#note({ type: "tool_call", id, name, input: { method, url, body } });
      const waited = await this.#ledger.wait(id, null, signal);
      this.#reportResults();
      return waited.type === "done" ? resumeRequested(this.#context, this.#state, wait.nodeId, waited.value) : null;
    }
    if (wait.type !== "dial") return null;
    const permitted = await this.#ledger.waitForPermit(null, signal);
    if (permitted.type !== "done") return null;
    const waited = await waitFor(timers, DIAL_MS, mayDial(wait.to), signal);
    if (waited.type === "aborted") return null;
    const late = { isAllowed: false, reason: "it was not decided in time whether it may be called" } as const;
    const permission = waited.type === "done" ? waited.value : late;
    return resumeDialed(this.#context, this.#state, wait.nodeId, wait.to, permission);
  }

  /** Takes over what a step of the flow has led to. */
  #take({ state, parts }: Outcome): ScriptStep {
    this.#state = state;
    const texts: string[] = [];
    let next: ScriptStep["next"] = null;
    for (const part of parts) {
      if (part.type === "say") texts.push(part.text);
      else if (part.type === "press") next = { type: "press", keys: part.keys };
      else if (part.type === "transfer") next = { type: "transfer", request: { to: part.to, how: part.how } };
      else if (part.type === "end") next = { type: "hang_up", reason: endOf(part.reason) };
      else if (isNote(part)) this.#note(part);
    }
    return { say: joinTexts(texts) || null, next };
  }
}

function conversationOf(nodes: Parameters<typeof whyNotOneConversation>[0]): ConversationNode {
  const problem = whyNotOneConversation(nodes);
  const node = nodes.find(({ type }) => type === "conversation");
  if (problem !== null || node?.type !== "conversation")
    throw new Error(`this engine conducts agents that are one conversation. ${problem ?? ""}`.trim());
  return node;
}

function titleOf(language: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(language) ?? language;
}

function mannersIn(language: string): string {
  return [
    `You are an automated assistant on a phone call. Speak ${titleOf(language)}, in plain sentences, naturally and not too fast.`,
    "Ask again when you did not hear something well, and repeat names, numbers and dates for the callee to confirm.",
    "Before a function that takes time, say in a few words that you are looking it up.",
    ...COMMON_MANNERS,
  ].join(" ");
}

const MUST_BE = {
  text: "must be text",
  number: "must be a number",
  boolean: "must be true or false",
  date: "must be a date as YYYY-MM-DD",
  time: "must be a time of day as HH:MM, from 00:00 to 23:59",
} as const;

function answered(step: ScriptStep): FunctionOutcome {
  return { ...step, output: { ok: true } };
}

function refused(error: string): FunctionOutcome {
  return { output: { ok: false, error }, say: null, next: null };
}

function endOf(reason: Extract<ReplyPart, { type: "end" }>["reason"]) {
  return reason === "finished" || reason === "fax" ? "agent_hangup" : reason;
}

const NOTES: ReadonlySet<ReplyPart["type"]> = new Set([
  "entered",
  "decided",
  "collected",
  "language_noticed",
  "suppress",
]);

function isNote(part: ReplyPart): part is Extract<ReplyPart, ScriptNote> {
  return NOTES.has(part.type);
}
