import { PortPool } from "../rtp/port-pool.ts";
import { assembleCarrier } from "./assemble-carrier.ts";
import { createCountingClock } from "./counting-clock.ts";
import { guardObserver } from "./guard-observer.ts";
import { MediaThreads } from "./media-threads.ts";
import { openTransports } from "./open-transports.ts";
import type { SipCarrier, SipCarrierOptions } from "./sip-carrier-options.ts";

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
