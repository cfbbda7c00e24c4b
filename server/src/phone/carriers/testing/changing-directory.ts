import type { TrunkDirectory } from "@parley/telephony/sip-carrier/trunks/trunk";

/** A directory that a test changes. */
export function changingDirectory(first: TrunkDirectory) {
  const listeners = new Set<() => void>();
  let directory = first;
  return {
    current: () => directory,
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(next: TrunkDirectory) {
      directory = next;
      for (const listener of listeners) listener();
    },
    get listeners() {
      return listeners.size;
    },
  };
}
