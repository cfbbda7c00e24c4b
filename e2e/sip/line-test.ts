import { test } from "vitest";
import { hurriedClock } from "./hurried-clock.ts";
import { type Line, type LineOptions, openLine } from "./open-line.ts";
import { openPeers, type Peers } from "./peers/open-peers.ts";

/** How many times faster than real time SIP's own timers run where a test would otherwise wait for half a minute. */
export const HURRY = 10;

interface LineFixtures {
  readonly peers: Peers;
  readonly line: Line;
  /** The same with a hurried clock: half a minute of SIP takes three seconds. */
  readonly hurriedLine: Line;
  /** One that trusts only the public authorities. */
  readonly distrustfulLine: Line;
  /** One without a certificate, to which no one can connect by TLS. */
  readonly uncertifiedLine: Line;
  /** One with IPv4 and IPv6. */
  readonly dualLine: Line;
}

/** A test with its own carrier and peers, after which nothing of either may be left. */
export const lineTest = test.extend<LineFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its pattern.
  peers: async ({}, use) => {
    const peers = openPeers();
    await use(peers);
    await peers.stop();
  },
  line: async ({ peers }, use) => useLine(peers, {}, use),
  distrustfulLine: async ({ peers }, use) => useLine(peers, { trustsPeers: false }, use),
  uncertifiedLine: async ({ peers }, use) => useLine(peers, { hasCertificate: false }, use),
  dualLine: async ({ peers }, use) => useLine(peers, { secondAddress: "::1" }, use),
  hurriedLine: async ({ peers }, use) => useLine(peers, { clock: hurriedClock(HURRY) }, use),
});

/**
 * The peers outlive the line, which still has to say goodbye to them. They are stopped here as well, because vitest
 * skips the rest of the cleanup when a part of it fails.
 */
async function useLine(peers: Peers, options: LineOptions, use: (line: Line) => Promise<void>): Promise<void> {
  const line = await openLine(options);
  let isIdle = false;
  try {
    await use(line);
    await line.idle();
    isIdle = true;
  } finally {
    try {
      await line.close();
    } finally {
      await peers.stop();
    }
  }
  if (line.failures.length > 0) throw new AggregateError(line.failures, "the carrier reported mistakes of its own");
  const held = Object.entries(line.carrier.resourcesHeld()).filter(([, count]) => count !== 0);
  if (isIdle && held.length > 0) throw new Error(`left behind: ${JSON.stringify(Object.fromEntries(held))}`);
}
