import type { PlayoutHandle } from "@parley/audio/playout-layout";
import type { MediaEvent } from "./media-leg.ts";
import type { MediaSetup } from "./media-setup.ts";
import type { MediaStatistics } from "./media-statistics.ts";

/** Messages to a media thread. Audio is never sent by message: it is in the shared rings and the playout queue. */
export type MediaCommand =
  | {
      type: "open";
      legId: number;
      /** One of each family of addresses that we have. */
      bindHosts: readonly string[];
      /** 0 lets the machine choose, which is for tests. */
      rtpPort: number;
      rtcpPort: number;
      heard: SharedArrayBuffer;
      played: SharedArrayBuffer;
      playout: PlayoutHandle;
      cname: string;
    }
  | { type: "configure"; legId: number; setup: MediaSetup }
  | { type: "dtmf"; legId: number; keys: string; keyMs: number | undefined }
  /** Null parts the leg from the one it is joined with. */
  | { type: "join"; legId: number; otherId: number | null }
  | { type: "statistics"; legId: number; requestId: number }
  | { type: "close"; legId: number }
  | { type: "stop" };

/** What it reports. After `closed` it reports nothing more about a leg, and its ports are free. */
export type MediaMessage =
  | { type: "opened"; legId: number; rtpPort: number; rtcpPort: number }
  | { type: "open_failed"; legId: number; reason: string }
  | { type: "event"; legId: number; event: MediaEvent }
  | { type: "statistics"; requestId: number; statistics: MediaStatistics | null }
  | { type: "closed"; legId: number; statistics: MediaStatistics | null; failure: string | null };
