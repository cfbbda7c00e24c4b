import { waitFor } from "@parley/time/within";
import type { CallLeg, Dial, OrphanedLeg, TransferRequest } from "../carrier.ts";
import { createEndedLeg } from "../ended-leg.ts";
import { placedBefore } from "../leg-end.ts";
import { PortPool } from "../rtp/port-pool.ts";
import { readLegRecord } from "../sip/dialog/dialog-record.ts";
import type { RandomSource } from "../sip/random-source.ts";
import type { NameResolver } from "../sip/transport/resolve-target.ts";
import type { SipTransport } from "../sip/transport/sip-transport.ts";
import { UserAgent } from "../sip/user-agent.ts";
import type { CarrierDeps } from "./carrier-deps.ts";
import { type CountingClock, createCountingClock } from "./counting-clock.ts";
import { SipLeg } from "./leg/sip-leg.ts";
import { type AudioThread, MediaThreads } from "./media-threads.ts";
import { openTransports } from "./open-transports.ts";
import type { SipCarrier, SipCarrierObserver, SipCarrierOptions } from "./sip-carrier-options.ts";
import { AnswerRates } from "./trunks/answer-rates.ts";
import { addressTrunk, type OwnAddresses } from "./trunks/own-addresses.ts";
import type { Trunk, TrunkDirectory } from "./trunks/trunk.ts";
import { TrunkWatches } from "./trunks/trunk-watches.ts";

/** Opens sockets and threads for a carrier over SIP trunks. Rejects if a port is not available, and then holds nothing. */
export async function openSipCarrier(options: SipCarrierOptions): Promise<SipCarrier> {
  const { random, resolver, directory, sip, rtp } = options;
  const clock = createCountingClock(options.clock);
  const ports = new PortPool(rtp.firstPort, rtp.lastPort);
  const threads = new MediaThreads(options.mediaThreads);
  try {
    const { transports, ports: sipPorts, second } = await openTransports(clock, options);
    return assembleCarrier({
      ...guardObserver(options.observer ?? {}),
      clock,
      random,
      resolver,
      transports,
      threads,
      ports,
      own: {
        sipHost: sip.address,
        sipPorts,
        rtpHost: rtp.address,
        second: second === null ? null : { sipHost: second.address, sipPorts: second.ports, rtpHost: second.address },
      },
      directory,
    });
  } catch (error) {
    await threads.close();
    throw error;
  }
}

/** Resources opened for a carrier, which closes them. */
export interface OpenedDeps extends GuardedObserver {
  readonly clock: CountingClock;
  readonly random: RandomSource;
  readonly resolver: NameResolver;
  readonly transports: readonly SipTransport[];
  readonly threads: Pick<MediaThreads, "pick" | "counts" | "close">;
  readonly ports: PortPool;
  readonly own: OwnAddresses;
  readonly directory: () => TrunkDirectory;
}

/** How often the directory is polled while there are no calls. */
const SYNC_EVERY_MS = 15_000;
/** Of the time a closing process has; a trunk that answers does so in a fraction of a second. */
const HANG_UP_MAX_MS = 8_000;
const GOODBYE_MAX_MS = 2_000;

/** A carrier over transports, threads and ports that are open. */
export function assembleCarrier(opened: OpenedDeps): SipCarrier {
  const { clock, random, resolver, observer, reportError, threads, ports, own, directory } = opened;
  const legs = new Set<SipLeg>();
  const dials = new RecentDials();
  const rates = new AnswerRates();
  const agent = new UserAgent({
    clock,
    random,
    resolver,
    transports: opened.transports,
    reportError,
    onMalformed: (reason, source) => observer.refused("malformed_message", reason, source),
    onStray: ({ method }, source) => {
      // Trunks ask by OPTIONS whether we are there, which is as it should be.
      if (method !== "OPTIONS") observer.refused("unknown_source", method, source);
    },
    onTrace: observer.trace,
  });
  const watches = new TrunkWatches({ clock, agent, addressed, onChange: observer.healthChanged, reportError });
  const deps: CarrierDeps = {
    clock,
    random,
    agent,
    audio: {
      clock,
      ports,
      bindHosts: [own.rtpHost, ...(own.second ? [own.second.rtpHost] : [])],
      resolver,
      reportError,
    },
    directory,
    watches,
    observer,
    addressTrunk: (trunk, hop) => addressTrunk(trunk, hop, own),
    placeParty,
    attemptEnded(outcome) {
      rates.note(outcome, clock.now());
      observer.attemptEnded(outcome);
    },
    reportError,
  };
  let transportsOpen = opened.transports.length;
  /** Ends in progress when the carrier closes are not confirmed. */
  const orphansWaiting = new Set<(isConfirmed: boolean) => void>();
  let closing: Promise<void> | null = null;
  let stopSyncing = keepInStep();

  async function addressed(trunk: Trunk) {
    const [hop] = await agent.resolveTrunk(trunk.sip);
    return hop === undefined ? trunk.sip : (await addressTrunk(trunk, hop, own)).sip;
  }

  function keepInStep(): () => void {
    try {
      watches.sync(directory());
    } catch (error) {
      reportError(error);
    }
    return clock.setTimer(SYNC_EVERY_MS, () => {
      stopSyncing = keepInStep();
    });
  }

  async function dial(request: Dial, thread: AudioThread): Promise<SipLeg> {
    const leg = new SipLeg(deps, request);
    legs.add(leg);
    leg.whenEnded.then(() => legs.delete(leg)).catch(reportError);
    try {
      await leg.start(thread);
    } catch (error) {
      // Nothing was sent, so it may be placed again.
      dials.forget(request.dialId);
      throw error;
    }
    return leg;
  }

  async function placeParty(request: TransferRequest, from: string | null, thread: AudioThread): Promise<SipLeg> {
    const { dialId, to, ringTimeoutMs, journal } = request;
    if (closing !== null) throw new Error("The SIP carrier is closed.");
    if (!dials.admit(dialId)) throw new Error("This leg was placed before.");
    const written = journal === undefined ? {} : { journal };
    return dial({ callId: dialId, dialId, to, from, ringTimeoutMs, ...written }, thread);
  }

  async function place(request: Dial): Promise<CallLeg> {
    if (closing !== null) throw new Error("The SIP carrier is closed.");
    watches.sync(directory());
    const thread = threads.pick();
    if (!dials.admit(request.dialId)) return createEndedLeg(request.dialId, placedBefore(), reportError);
    return dial(request, thread);
  }

  async function close(): Promise<void> {
    stopSyncing();
    const hungUp = Promise.all([...legs].map((leg) => leg.hangup()));
    await waitFor(clock, HANG_UP_MAX_MS, hungUp);
    for (const leg of legs) leg.giveUp();
    await Promise.all([...legs].map(({ whenEnded }) => whenEnded));
    await waitFor(clock, GOODBYE_MAX_MS, watches.close());
    agent.close();
    for (const resolve of orphansWaiting) resolve(false);
    for (const transport of opened.transports) {
      await transport.close();
      transportsOpen -= 1;
    }
    await threads.close();
  }

  return {
    name: "sip",
    listening: own.sipPorts,
    place,
    async endOrphan(orphan) {
      if (closing !== null) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      orphansWaiting.add(resolve);
      endOrphan(deps, orphan).then(resolve, (error: unknown) => {
        reportError(error);
        resolve(false);
      });
      const isConfirmed = await promise;
      orphansWaiting.delete(resolve);
      return isConfirmed;
    },
    health: (trunkId) => watches.health(trunkId),
    answerRates: () => rates.rates(clock.now()),
    resourcesHeld() {
      const { inUse, draining } = ports.counts(clock.now());
      const carried = threads.counts();
      return {
        legs: legs.size,
        mediaLegs: carried.legs,
        threads: carried.threads,
        ports: inUse + draining,
        transports: transportsOpen,
        invites: agent.openInvites,
        transactions: agent.openTransactions,
        timers: clock.pendingTimers(),
      };
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Remembers which dials were placed here, up to a limit: a dial that is placed again rings no phone. */
export class RecentDials {
  readonly #dialIds = new Set<string>();
  readonly #max: number;

  constructor(max = 100_000) {
    this.#max = max;
  }

  /** False when it was admitted before. */
  admit(dialId: string): boolean {
    if (this.#dialIds.has(dialId)) return false;
    this.#dialIds.add(dialId);
    if (this.#dialIds.size > this.#max) {
      const [oldest] = this.#dialIds;
      if (oldest !== undefined) this.#dialIds.delete(oldest);
    }
    return true;
  }

  /** Nothing was sent for it after all. */
  forget(dialId: string): void {
    this.#dialIds.delete(dialId);
  }
}

/**
 * Ends what another process placed and lost. Where nothing was written down nothing was sent, since the journal comes
 * first. A trunk that was deleted meanwhile, or a record that cannot be read, leaves nothing to go by.
 */
async function endOrphan(
  { agent, addressTrunk, directory }: Pick<CarrierDeps, "agent" | "addressTrunk" | "directory">,
  { record, trunkId }: OrphanedLeg,
): Promise<boolean> {
  if (record === null || record === undefined) return true;
  const read = readLegRecord(record);
  const trunk = directory().trunks.find(({ id }) => id === trunkId);
  if (read === null || trunk === undefined) return false;
  const { sip } = await addressTrunk(trunk, read.hop);
  return agent.endOrphan(sip, read);
}

/** An observer that may fail without harm, and a place for what goes wrong. */
export interface GuardedObserver {
  readonly observer: Required<SipCarrierObserver>;
  readonly reportError: (error: unknown) => void;
}

/** Observers are called from the handlers of sockets, where nothing may throw. */
export function guardObserver(given: SipCarrierObserver): GuardedObserver {
  function guarded<Arguments extends unknown[]>(tell: ((...values: Arguments) => void) | undefined) {
    return (...values: Arguments): void => {
      try {
        tell?.(...values);
      } catch (error) {
        warn(error);
      }
    };
  }
  const failed = guarded<[error: unknown]>(given.failed === undefined ? warn : (error) => given.failed?.(error));
  return {
    reportError: failed,
    observer: {
      failed,
      attemptEnded: guarded((outcome) => given.attemptEnded?.(outcome)),
      healthChanged: guarded((trunkId, health) => given.healthChanged?.(trunkId, health)),
      refused: guarded((what, detail, source) => given.refused?.(what, detail, source)),
      trace: guarded((direction, hop, bytes) => given.trace?.(direction, hop, bytes)),
    },
  };
}

function warn(error: unknown): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.emitWarning("Something went wrong inside the SIP carrier.", { type: "SipCarrierWarning", detail });
}
