/**
 * Unused memory that the engine counts. The shared memory of a leg's audio is not attributed to any thread:
 * a thread that allocates little would keep that of hundreds of ended legs before it ever collects garbage. A weight
 * of the same size lives and dies with it, and the kernel never gives it a page.
 */
export function weighMemory(bytes: number): ArrayBuffer {
  return new ArrayBuffer(bytes);
}
