import { endianness } from "node:os";
import { getSystemErrorName } from "node:util";

/**
 * The few functions of the C library that a media thread calls directly. Functions of up to three arguments are called
 * without any conversion in between, which is why messages go through `sendmsg` and `recvmsg`; pointers are BigInts
 * that are created once. The caller keeps the memory alive and large enough, because nothing checks it.
 */
const SIGNATURES = {
  socket: { return: "int32", arguments: ["int32", "int32", "int32"] },
  bind: { return: "int32", arguments: ["int32", "pointer", "uint32"] },
  getsockname: { return: "int32", arguments: ["int32", "pointer", "pointer"] },
  setsockopt: { return: "int32", arguments: ["int32", "int32", "int32", "pointer", "uint32"] },
  sendmsg: { return: "int32", arguments: ["int32", "pointer", "int32"] },
  recvmsg: { return: "int32", arguments: ["int32", "pointer", "int32"] },
  close: { return: "int32", arguments: ["int32"] },
  clock_gettime: { return: "int32", arguments: ["int32", "pointer"] },
  inet_pton: { return: "int32", arguments: ["int32", "string", "pointer"] },
  inet_ntop: { return: "pointer", arguments: ["int32", "pointer", "pointer", "uint32"] },
  setpriority: { return: "int32", arguments: ["int32", "int32", "int32"] },
  __errno_location: { return: "pointer", arguments: [] },
} as const;

/** Of the GNU C library only. */
const GNU_SIGNATURES = {
  mallopt: { return: "int32", arguments: ["int32", "int32"] },
} as const;

type Ffi = typeof import("node:ffi");
type Functions = ReturnType<typeof import("node:ffi").dlopen<typeof SIGNATURES>>["functions"];

export interface Libc extends Functions {
  readonly mallopt: ((parameter: number, value: number) => number) | null;
  pointerTo(memory: ArrayBuffer): bigint;
  /** What the last function that failed has to say, for people. */
  lastError(doing: string): Error;
}

/** Null where the layouts and numbers in this folder do not hold, or where Node cannot call C. */
export function loadLibc(): Libc | null {
  const isKnown = process.platform === "linux" && ["x64", "arm64"].includes(process.arch) && endianness() === "LE";
  if (!isKnown) return null;
  const ffi: Ffi | undefined = process.getBuiltinModule("node:ffi");
  if (ffi === undefined) return null;
  try {
    const { functions } = ffi.dlopen(null, SIGNATURES);
    return {
      ...functions,
      mallopt: loadMallopt(ffi),
      pointerTo: (memory) => ffi.getRawPointer(memory),
      lastError(doing) {
        const code = ffi.getInt32(functions.__errno_location());
        return new Error(`${doing} ${getSystemErrorName(-code)}`);
      },
    };
  } catch {
    // Another C library, or a policy that forbids it: the sockets of Node do the same.
    return null;
  }
}

function loadMallopt(ffi: Ffi): Libc["mallopt"] {
  try {
    return ffi.dlopen(null, GNU_SIGNATURES).functions.mallopt;
  } catch {
    // Another C library, which has its own ways with memory.
    return null;
  }
}
