import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import type { KokoroSynthesizer } from "@parley/providers/local/kokoro/kokoro-synthesizer";
import { systemClock } from "@parley/time/clock";
import { openNaturalVoice } from "../agents/voices/open-natural-voice.ts";
import { PreviewCache, PreviewLimiter } from "../agents/voices/previews.ts";
import type { VoiceRoutesDeps } from "../agents/voices/routes.ts";
import type { ServiceContext } from "./service-context.ts";

export interface JoinedPreviews extends VoiceRoutesDeps {
  close(): Promise<void>;
}

/** Proxies in front of a service give up after a minute. */
const WAIT_MS = 40_000;
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

/** Joins the voices that people listen to before any call. Each is loaded when it is first requested. */
export function joinPreviews({ log, settings }: ServiceContext): JoinedPreviews {
  const light = createFliteSynthesizer({ threadsMax: 1 });
  let opening: Promise<KokoroSynthesizer> | null = null;
  const openNatural = () => {
    opening ??= openNaturalVoice({
      dataDir: settings.dataDir,
      mayRender: true,
      onTrouble: (error) => log.warn({ error }, "could not read or store voice clips"),
    });
    return opening;
  };
  return {
    voices: { light, natural: settings.conversations.hasNaturalVoices ? openNatural : null },
    limiter: new PreviewLimiter(() => performance.now()),
    cache: new PreviewCache({ clock: systemClock, waitMs: WAIT_MS, bytesMax: KEPT_BYTES_MAX }),
    async close() {
      await light.close();
      await (await opening)?.close();
    },
  };
}
