import { type Baresip, type BaresipOptions, startBaresip } from "./start-baresip.ts";
import { type Kamailio, type KamailioOptions, startKamailio } from "./start-kamailio.ts";
import { type Rtpengine, startRtpengine } from "./start-rtpengine.ts";
import { type Sipp, type SippOptions, startSipp } from "./start-sipp.ts";

/** The third-party programs that a test talks to. All of them are gone after `stop`. */
export interface Peers {
  sipp(scenarioText: string, options?: SippOptions): Promise<Sipp>;
  baresip(options: BaresipOptions): Promise<Baresip>;
  kamailio(options: KamailioOptions): Promise<Kamailio>;
  rtpengine(): Promise<Rtpengine>;
  stop(): Promise<void>;
}

export function openPeers(): Peers {
  const started: { stop(): Promise<void> }[] = [];
  const keep = async <Peer extends { stop(): Promise<void> }>(starting: Promise<Peer>): Promise<Peer> => {
    const peer = await starting;
    started.push(peer);
    return peer;
  };
  return {
    sipp: (text, options) => keep(startSipp(text, options)),
    baresip: (options) => keep(startBaresip(options)),
    kamailio: (options) => keep(startKamailio(options)),
    rtpengine: () => keep(startRtpengine()),
    async stop() {
      for (const peer of started.splice(0).reverse()) await peer.stop();
    },
  };
}
