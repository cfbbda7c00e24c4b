import * as routes from "@parley/contract/routes/voices";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { listVoices } from "./known-voices.ts";
import { type PreviewCache, type PreviewLimiter, type PreviewVoices, previewVoice } from "./previews.ts";

export interface VoiceRoutesDeps {
  readonly voices: PreviewVoices;
  readonly limiter: PreviewLimiter;
  readonly cache: PreviewCache;
}

/** The voices an agent can have, and how they sound. */
export function voiceRoutes({ voices, limiter, cache }: VoiceRoutesDeps): BoundRoute[] {
  return [
    handle(routes.listVoices, async () => ({ data: listVoices(voices.natural !== null) })),

    handle(routes.previewVoice, async ({ accountId, params, body }) => {
      const leave = limiter.begin(accountId);
      try {
        const key = JSON.stringify([params.id, body]);
        const wav = await cache.get(key, () => previewVoice(voices, params.id, body));
        return {
          stream: async (reply) => void reply.header("cache-control", "private, no-store").type("audio/wav").send(wav),
        };
      } finally {
        leave();
      }
    }),
  ];
}
