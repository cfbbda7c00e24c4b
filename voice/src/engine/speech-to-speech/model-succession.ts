import type { SpeechModelEvent, SpeechModelSession } from "../../ports/speech-model.ts";

/** Opens the next model of the call's engine. Rejects when none is left. */
export type OpenNextModel = (instructions: string, onEvent: (event: SpeechModelEvent) => void) => Promise<OpenedModel>;

interface OpenedModel {
  readonly session: SpeechModelSession;
  readonly name: string;
  /** Why models that come before it could not be opened. */
  readonly failures: readonly string[];
}

const HISTORY_MAX = 200;

/** The model of a call, and those that take over when it fails. Each successor learns what was said before. */
export class ModelSuccession {
  readonly #openNext: OpenNextModel;
  readonly #instructions: () => string;
  readonly #onEvent: (event: SpeechModelEvent) => void;
  #session: SpeechModelSession | null = null;
  #name = "";
  /** Counts the models that were used: what an earlier one still reports is not passed on. */
  #number = 0;
  #history: readonly string[] = [];

  constructor(openNext: OpenNextModel, instructions: () => string, onEvent: (event: SpeechModelEvent) => void) {
    this.#openNext = openNext;
    this.#instructions = instructions;
    this.#onEvent = onEvent;
  }

  /** Null while a model is being opened, and after the last one. */
  get session(): SpeechModelSession | null {
    return this.#session;
  }

  get name(): string {
    return this.#name;
  }

  get hasHistory(): boolean {
    return this.#history.length > 0;
  }

  remember(role: "callee" | "agent", text: string): void {
    if (text.trim() !== "") this.#history = [...this.#history, `${role}: ${text.trim()}`].slice(-HISTORY_MAX);
  }

  /** Opens the next model. `onOpen` runs before anything that the model reported meanwhile, with why others could not be opened. */
  async open(onOpen: (failures: readonly string[]) => void): Promise<void> {
    this.#number += 1;
    const number = this.#number;
    const early: SpeechModelEvent[] = [];
    let isOpen = false;
    const { session, name, failures } = await this.#openNext(this.#briefing(), (event) => {
      if (!isOpen) early.push(event);
      else if (number === this.#number) this.#onEvent(event);
    });
    if (number !== this.#number) return session.close();
    this.#session = session;
    this.#name = name;
    onOpen(failures);
    isOpen = true;
    for (const event of early) this.#onEvent(event);
  }

  /** Nothing that the current model reports is passed on any more, also if it is still being opened. */
  close(why?: "silent"): void {
    this.#number += 1;
    this.#session?.close(why);
    this.#session = null;
  }

  #briefing(): string {
    const instructions = this.#instructions();
    if (!this.hasHistory) return instructions;
    const soFar = "You take over this call from another assistant. What was said so far:";
    return [instructions, soFar, ...this.#history].join("\n");
  }
}
