import type { Libc } from "./sockets/libc.ts";

const M_MMAP_THRESHOLD = -3;
/** The store of a leg's clips is larger than this, and most of it is never written to. */
const LARGE_BYTES = 256 * 1024;

/**
 * Has the C library take large pieces of memory from the kernel one by one, for the whole process. Left to itself it stops
 * doing so after a while, and then clears more than a hundred KiB for each leg that nobody has asked for.
 */
export function keepMemoryLazy(libc: Libc): boolean {
  return libc.mallopt !== null && libc.mallopt(M_MMAP_THRESHOLD, LARGE_BYTES) === 1;
}
