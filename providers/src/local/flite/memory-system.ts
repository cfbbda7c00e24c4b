/** The only name under which the program may write. It is not a file of the machine. */
export const OUTPUT_NAME = "out.wav";
const FOLDER_NAME = "/";

/** The file descriptors of the program. 0 to 2 are its standard streams. */
const STDERR = 2;
const FOLDER = 3;
const OUTPUT = 4;

/** Error codes of WASI preview 1, by the names of its specification. */
const SUCCESS = 0;
const BADF = 8;
const FBIG = 22;
const NOENT = 44;
const SPIPE = 70;

const CHARACTER_DEVICE = 2;
const DIRECTORY = 3;
const REGULAR_FILE = 4;
const ALL_RIGHTS = 0xffff_ffffn;

/** Thrown when a WASI program exits. Thrown through it, because it does not expect to continue. */
export class ProgramExit extends Error {
  override readonly name = "ProgramExit";
  readonly code: number;

  constructor(code: number) {
    super(`the program ended with code ${code}`);
    this.code = code;
  }
}

/**
 * An operating system for one run of a WASI program: it has arguments, an empty folder that takes one file, and nothing
 * else. The file is kept in memory, the clock stands still, and there is no environment, network or randomness, so that
 * the same arguments produce the same bytes on every machine.
 */
export class MemorySystem {
  readonly #arguments: readonly Uint8Array[];
  readonly #outputBytesMax: number;
  readonly #messages: Uint8Array[] = [];
  #memory: { readonly buffer: ArrayBuffer } | null = null;
  #output = new Uint8Array(64 * 1024);
  #outputBytes = 0;
  #wasOverfilled = false;

  constructor(args: readonly string[], outputBytesMax: number) {
    const encoder = new TextEncoder();
    this.#arguments = args.map((argument) => encoder.encode(`${argument.replaceAll("\0", " ")}\0`));
    this.#outputBytesMax = outputBytesMax;
  }

  /** The memory exists only once the program does, which needs the functions below. */
  attach(memory: { readonly buffer: ArrayBuffer }): void {
    this.#memory = memory;
  }

  get output(): Uint8Array {
    return this.#output.subarray(0, this.#outputBytes);
  }

  /** Whether a write of the program was refused for lack of space, so that the output is incomplete. */
  get wasOverfilled(): boolean {
    return this.#wasOverfilled;
  }

  /** What the program printed on its standard streams, for error messages. */
  get messages(): string {
    return Buffer.concat(this.#messages).toString("utf8").trim();
  }

  get imports(): Readonly<Record<string, WasmFunction>> {
    return {
      args_sizes_get: (countAt: number, bytesAt: number) => this.#writeArgumentSizes(countAt, bytesAt),
      args_get: (pointersAt: number, textAt: number) => this.#writeArguments(pointersAt, textAt),
      clock_time_get: (_clock: number, _precision: bigint, timeAt: number) => this.#writeTime(timeAt),
      fd_close: () => SUCCESS,
      fd_fdstat_get: (fd: number, statAt: number) => this.#writeStatus(fd, statAt),
      fd_fdstat_set_flags: () => SUCCESS,
      fd_prestat_get: (fd: number, prestatAt: number) => this.#writeFolderSize(fd, prestatAt),
      fd_prestat_dir_name: (fd: number, nameAt: number) => this.#writeFolderName(fd, nameAt),
      fd_read: (_fd: number, _vectorsAt: number, _vectors: number, readAt: number) => this.#readNothing(readAt),
      fd_seek: () => SPIPE,
      fd_write: (fd: number, vectorsAt: number, vectors: number, writtenAt: number) =>
        this.#write(fd, vectorsAt, vectors, writtenAt),
      path_open: (_folder: number, _lookup: number, pathAt: number, pathBytes: number, ...rest: never[]) =>
        this.#open(pathAt, pathBytes, rest.at(-1) ?? 0),
      proc_exit: (code: number) => {
        throw new ProgramExit(code);
      },
    };
  }

  /** The program's memory may move whenever it grows, so it is looked up at every use. */
  get #view(): DataView {
    return new DataView(this.#buffer);
  }

  get #buffer(): ArrayBuffer {
    if (this.#memory === null) throw new Error("the program runs without its memory");
    return this.#memory.buffer;
  }

  #writeArgumentSizes(countAt: number, bytesAt: number): number {
    this.#view.setUint32(countAt, this.#arguments.length, true);
    this.#view.setUint32(
      bytesAt,
      this.#arguments.reduce((sum, { length }) => sum + length, 0),
      true,
    );
    return SUCCESS;
  }

  #writeArguments(pointersAt: number, textAt: number): number {
    const memory = new Uint8Array(this.#buffer);
    let at = textAt;
    for (const [index, argument] of this.#arguments.entries()) {
      this.#view.setUint32(pointersAt + 4 * index, at, true);
      memory.set(argument, at);
      at += argument.length;
    }
    return SUCCESS;
  }

  #writeTime(timeAt: number): number {
    this.#view.setBigUint64(timeAt, 0n, true);
    return SUCCESS;
  }

  #writeStatus(fd: number, statAt: number): number {
    const view = this.#view;
    view.setUint8(statAt, fd === FOLDER ? DIRECTORY : fd === OUTPUT ? REGULAR_FILE : CHARACTER_DEVICE);
    view.setUint16(statAt + 2, 0, true);
    view.setBigUint64(statAt + 8, ALL_RIGHTS, true);
    view.setBigUint64(statAt + 16, ALL_RIGHTS, true);
    return SUCCESS;
  }

  #writeFolderSize(fd: number, prestatAt: number): number {
    if (fd !== FOLDER) return BADF;
    this.#view.setUint32(prestatAt, 0, true);
    this.#view.setUint32(prestatAt + 4, FOLDER_NAME.length, true);
    return SUCCESS;
  }

  #writeFolderName(fd: number, nameAt: number): number {
    if (fd !== FOLDER) return BADF;
    new Uint8Array(this.#buffer).set(new TextEncoder().encode(FOLDER_NAME), nameAt);
    return SUCCESS;
  }

  #readNothing(readAt: number): number {
    this.#view.setUint32(readAt, 0, true);
    return SUCCESS;
  }

  #open(pathAt: number, pathBytes: number, openedAt: number): number {
    const path = new TextDecoder().decode(new Uint8Array(this.#buffer, pathAt, pathBytes));
    if (path !== OUTPUT_NAME) return NOENT;
    this.#outputBytes = 0;
    this.#view.setUint32(openedAt, OUTPUT, true);
    return SUCCESS;
  }

  #write(fd: number, vectorsAt: number, vectors: number, writtenAt: number): number {
    const view = this.#view;
    let written = 0;
    for (let index = 0; index < vectors; index++) {
      const start = view.getUint32(vectorsAt + 8 * index, true);
      const length = view.getUint32(vectorsAt + 8 * index + 4, true);
      const bytes = new Uint8Array(this.#buffer, start, length);
      if (fd === OUTPUT) {
        if (!this.#append(bytes)) return FBIG;
      } else if (fd <= STDERR) this.#messages.push(bytes.slice());
      else return BADF;
      written += length;
    }
    view.setUint32(writtenAt, written, true);
    return SUCCESS;
  }

  #append(bytes: Uint8Array): boolean {
    const wanted = this.#outputBytes + bytes.length;
    if (wanted > this.#outputBytesMax) {
      this.#wasOverfilled = true;
      return false;
    }
    if (wanted > this.#output.length) {
      const larger = new Uint8Array(Math.max(wanted, 2 * this.#output.length));
      larger.set(this.output);
      this.#output = larger;
    }
    this.#output.set(bytes, this.#outputBytes);
    this.#outputBytes = wanted;
    return true;
  }
}

/**
 * What we use of WebAssembly. The runtime has it, but its types are in the browser's library, which would also declare
 * documents and windows in every file of the project.
 */
export interface WasmRuntime {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly Instance: new (module: WasmModule, imports: WasmImports) => { readonly exports: WasmExports };
}

/** Compiled code. It may be posted to other threads, which then share it. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: "WebAssembly.Module";
}

type WasmImports = Readonly<Record<string, Readonly<Record<string, WasmFunction>>>>;

/** Numbers of 64 bits arrive as bigint. */
export type WasmFunction = (...values: never[]) => number;

interface WasmExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly _start: () => void;
}

export const webAssembly: WasmRuntime = (globalThis as unknown as { WebAssembly: WasmRuntime }).WebAssembly;
