import { joinPronunciations } from "@parley/contract/pronunciations";
import * as routes from "@parley/contract/routes/voices";
import { readAccountSpeech } from "../../accounts/account-settings.ts";
import type { Database } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import type { WorkLimiter } from "../../platform/http/limits/work-limiter.ts";
import { listVoices } from "./known-voices.ts";
import { type PreviewCache, type PreviewVoices, previewVoice } from "./previews.ts";

export interface VoiceRoutesDeps {
  readonly db: Database;
  readonly voices: PreviewVoices;
  readonly limiter: WorkLimiter;
  readonly cache: PreviewCache;
}

/** The voices an agent can have, and how they sound. */
export function voiceRoutes({ db, voices, limiter, cache }: VoiceRoutesDeps): BoundRoute[] {
  return [
    handle(routes.listVoices, async () => ({ data: listVoices(voices.natural !== null) })),

    handle(routes.previewVoice, async ({ accountId, params, body }) => {
      const leave = limiter.begin(accountId);
      try {
        const { pronunciations: ofAccount } = await readAccountSpeech(db, accountId);
        const preview = { ...body, pronunciations: joinPronunciations(body.pronunciations ?? [], ofAccount) };
        const key = JSON.stringify([params.id, preview]);
        const wav = await cache.get(key, () => previewVoice(voices, params.id, preview));
        return {
          stream: async (reply) => void reply.header("cache-control", "private, no-store").type("audio/wav").send(wav),
        };
      } finally {
        leave();
      }
    }),
  ];
}
