import type { CarrierDirectory } from "../../trunks/to-carrier-trunk.ts";

/** A directory that a test changes. */
export function changingDirectory(first: CarrierDirectory) {
  const listeners = new Set<() => void>();
  let directory = first;
  return {
    current: () => directory,
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(next: CarrierDirectory) {
      directory = next;
      for (const listener of listeners) listener();
    },
    get listeners() {
      return listeners.size;
    },
  };
}
