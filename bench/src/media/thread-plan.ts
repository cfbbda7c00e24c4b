import type { LegKeys } from "./write-packets.ts";

/** What the process with our media thread is to do. Keys are in base64, as an `a=crypto` line has them. */
export interface ThreadPlan {
  readonly legs: readonly LegPlan[];
  readonly blocksMainThread: boolean;
}

export interface LegPlan {
  readonly remotePort: number;
  readonly keys: { readonly send: string; readonly receive: string } | null;
}

export function planThread(
  remotePorts: readonly number[],
  keys: readonly LegKeys[],
  blocksMainThread: boolean,
): ThreadPlan {
  const inline = ({ masterKey, masterSalt }: LegKeys["send"]) =>
    Buffer.concat([masterKey, masterSalt]).toString("base64");
  const legs = remotePorts.map((remotePort, index) => {
    const legKeys = keys[index];
    return {
      remotePort,
      keys: legKeys === undefined ? null : { send: inline(legKeys.send), receive: inline(legKeys.receive) },
    };
  });
  return { legs, blocksMainThread };
}
