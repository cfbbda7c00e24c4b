/**
 * What we use of WebAssembly. The runtime has it, but its types belong to the browser's library, which would also
 * promise documents and windows to every file of the project.
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
