import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { connectVoice, type NaturalVoice } from "@parley/providers/local/kokoro/speaking/voice-port";
import { systemClock } from "@parley/time/clock";
import { PREVIEW_LIMITS, PreviewCache } from "../agents/voices/previews.ts";
import type { VoiceRoutesDeps } from "../agents/voices/routes.ts";
import { WorkLimiter } from "../platform/http/work-limiter.ts";
import type { ServiceContext } from "./service-context.ts";

export interface JoinedPreviews extends Omit<VoiceRoutesDeps, "db"> {
  close(): Promise<void>;
}

/** Proxies in front of a service give up after a minute. */
const WAIT_MS = 40_000;
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

/** Joins the voices that people listen to before any call. Each is loaded when it is first requested. */
export function joinPreviews({ naturalVoices }: ServiceContext): JoinedPreviews {
  const light = createFliteSynthesizer({ threadsMax: 1 });
  let opening: Promise<NaturalVoice> | null = null;
  return {
    voices: {
      light,
      natural:
        naturalVoices &&
        (() => {
          opening ??= naturalVoices.connect().then(connectVoice);
          return opening;
        }),
    },
    limiter: new WorkLimiter(() => performance.now(), PREVIEW_LIMITS),
    cache: new PreviewCache({ clock: systemClock, waitMs: WAIT_MS, bytesMax: KEPT_BYTES_MAX }),
    async close() {
      await light.close();
      await (await opening)?.close();
    },
  };
}
