import type { Goal } from "../goals.ts";
import { installPeer } from "../install-peer.ts";
import { percentile } from "../statistics.ts";
import { prepareBareSounds } from "./bare-scene.ts";
import { type BareProgram, type BareResult, OURS, printBare, runBare } from "./run-bare.ts";

const LEVELS = [1, 10, 25];
const ROUNDS = 5;
const PEERS: Readonly<Record<string, BareProgram>> = {
  livekit: { name: "LiveKit Agents 1.9.0", file: "../../peers/livekit/peer.mjs", args: [] },
};

/** The same calls, conducted by us and by a third-party program in turn. The goal is half of its cost. */
export async function comparePeer(name: string): Promise<Goal[]> {
  const peer = PEERS[name];
  if (peer === undefined) throw new Error(`Peers: ${Object.keys(PEERS).join(", ")}`);
  installPeer(name);
  const sounds = await prepareBareSounds();
  const pairs: { readonly ours: BareResult; readonly theirs: BareResult }[] = [];
  for (const calls of LEVELS) {
    const ours = await runBare(OURS, calls, ROUNDS, sounds);
    const theirs = await runBare(peer, calls, ROUNDS, sounds);
    pairs.push({ ours, theirs });
    printBare([ours, theirs]);
  }
  return pairs.flatMap(({ ours, theirs }) => {
    const ratio = (what: string, value: number, other: number): Goal => ({
      name: `${what}_to_${name}_at_${ours.calls}`,
      value: Math.max(0, value) / other,
      max: 0.5,
      unit: "x",
    });
    return [
      ratio("cpu", ours.coresPerCall, theirs.coresPerCall),
      ratio("memory", ours.memoryMiBPerCall, theirs.memoryMiBPerCall),
      ratio("response_overhead_p50", percentile(ours.responseMs, 50), percentile(theirs.responseMs, 50)),
      ratio("barge_in_overhead_p95", percentile(ours.bargeInMs, 95), percentile(theirs.bargeInMs, 95)),
    ];
  });
}
