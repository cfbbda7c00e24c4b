import type { ChildProcess } from "node:child_process";
import { until } from "../harness/api-client.ts";

/** A running program, as far as the cast needs to know it. */
export interface Program {
  readonly child: ChildProcess;
  output(): string;
}

export interface Part {
  readonly name: string;
  /** Starts the program again. `serial` differs at every start of every part. */
  start(serial: number): Promise<Program>;
  /** Whether what it printed says that it is up. */
  isUp(output: string): boolean;
}

/** A program that ended without being told to. */
export interface UnexpectedExit {
  readonly name: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastWords: string;
}

const RESTART_AFTER_MS = 100;
const LAST_WORDS_CHARS = 3_000;
const SERIAL_FIRST = 1_000;
let lastSerial = SERIAL_FIRST;

/**
 * One process of the installation: it is restarted whenever it ends, as a service manager would, until it is dismissed.
 */
export class Member {
  readonly name: string;
  /** Everything all its programs printed, one after the other. */
  readonly outputs: (() => string)[] = [];
  readonly unexpected: UnexpectedExit[] = [];
  /** Starts that failed before they were up, such as while the database was down. */
  failedStarts = 0;
  kills = 0;
  readonly #part: Part;
  #program: Program | null = null;
  #serial = 0;
  #isPaused = false;
  #isDismissed = false;
  #gone: Promise<void> = Promise.resolve();

  constructor(part: Part) {
    this.#part = part;
    this.name = part.name;
  }

  get serial(): number {
    return this.#serial;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isUp(): boolean {
    return this.#program !== null && this.#part.isUp(this.#program.output());
  }

  async start(): Promise<void> {
    lastSerial += 1;
    this.#serial = lastSerial;
    const killsBefore = this.kills;
    const program = await this.#part.start(this.#serial);
    if (this.#isDismissed) {
      program.child.kill("SIGKILL");
      return;
    }
    this.#program = program;
    // Whatever ends this process, nothing it started is left behind.
    const killOnExit = () => program.child.kill("SIGKILL");
    process.once("exit", killOnExit);
    this.outputs.push(program.output);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gone = promise;
    const ended = (code: number | null, signal: NodeJS.Signals | null) => {
      const wasUp = this.isUp;
      this.#program = null;
      process.off("exit", killOnExit);
      resolve();
      if (this.#isDismissed) return;
      if (this.kills === killsBefore) {
        if (wasUp) this.unexpected.push({ name: this.name, code, signal, lastWords: lastWords(program) });
        else this.failedStarts += 1;
      }
      setTimeout(() => void this.#startAgain(), RESTART_AFTER_MS);
    };
    const { exitCode, signalCode } = program.child;
    if (exitCode !== null || signalCode !== null) ended(exitCode, signalCode);
    else program.child.once("exit", ended);
  }

  async #startAgain(): Promise<void> {
    if (!this.#isDismissed) await this.start();
  }

  whenUp(withinMs: number): Promise<unknown> {
    return until(
      async () =>
        this.isUp
          ? "up"
          : `${this.name}: ${this.outputs
              .slice(-3)
              .map((output) => output())
              .join("\n--\n")}`,
      (seen) => seen === "up",
      withinMs,
    );
  }

  /** False when there is nothing to kill, or it is paused on purpose. */
  get canBeKilled(): boolean {
    return this.#program !== null && !this.#isPaused;
  }

  /** Like a power cut, if it can be killed. */
  kill(): boolean {
    if (!this.#program || !this.canBeKilled) return false;
    this.kills += 1;
    return this.#program.child.kill("SIGKILL");
  }

  /** Asks it to end, as a deployment does. It is restarted afterwards. */
  restart(): void {
    this.kills += 1;
    this.#program?.child.kill("SIGTERM");
  }

  /** Sends it a signal that does not end it. */
  signal(signal: NodeJS.Signals): void {
    this.#program?.child.kill(signal);
  }

  /** Everything the program that runs now has printed. */
  get output(): string {
    return this.#program?.output() ?? "";
  }

  /** Pauses with its connections open. Returns the function that resumes it, or null when it is not running. */
  pause(): (() => void) | null {
    const program = this.#program;
    if (!program || this.#isPaused) return null;
    this.#isPaused = true;
    program.child.kill("SIGSTOP");
    return () => {
      this.#isPaused = false;
      program.child.kill("SIGCONT");
    };
  }

  /** Ends it permanently. */
  async dismiss(signal: NodeJS.Signals, patienceMs: number): Promise<void> {
    this.#isDismissed = true;
    const program = this.#program;
    if (!program) return;
    if (this.#isPaused) program.child.kill("SIGCONT");
    program.child.kill(signal);
    const timer = setTimeout(() => program.child.kill("SIGKILL"), patienceMs);
    await this.#gone;
    clearTimeout(timer);
  }
}

function lastWords(program: Program): string {
  return program.output().slice(-LAST_WORDS_CHARS);
}
