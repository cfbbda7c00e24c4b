import { Pool } from "@parley/threads/pool";
import { servePort } from "@parley/threads/port-requests";
import { serveThread } from "@parley/threads/service-thread";
import { systemClock } from "@parley/time/clock";
import type { IntentScore } from "@parley/voice/ports/intent-ranker";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { toProviderError } from "../to-provider-error.ts";
import { EncoderHost } from "./encoder-process.ts";
import { NearestPhrases } from "./nearest-phrases.ts";
import type { RankerAnswers, RankNotice, RankRequest } from "./ranker-thread.ts";

/** The thread that owns the encoding process, so that no conversation waits for the main thread. */

/** Leaves room for a process to be loaded or replaced. A caller that cannot wait that long aborts earlier. */
const DEADLINE_MS = 30_000;
/** A request that would wait longer than a callee does is rejected immediately. */
const WAITING_MAX = 32;

const encoder = new EncoderHost();
const pool = new Pool<readonly string[], Float32Array[]>({
  toError: toProviderError("sentence-encoder"),
  openHost: async () => encoder.openHost(),
  hostsMax: 1,
  waitingMax: WAITING_MAX,
  deadlineMs: DEADLINE_MS,
  timers: systemClock,
});
const phrases = new NearestPhrases((texts, options) => pool.run(texts, options));

serveThread<void, RankerAnswers>({
  start: () => undefined,
  async stop() {
    await pool.close();
    await encoder.end();
  },
  connect(port) {
    servePort<RankRequest, readonly IntentScore[], RankNotice>(port, {
      answer: ({ text, candidates }, signal) => phrases.rank(text, candidates, signal),
      onNotice: (notice) => phrases.prepare(notice.phrases),
      isRetryable: (error) => error instanceof ProviderError && error.retryable,
    });
  },
  answers: { processIds: () => (encoder.pid === undefined ? [] : [encoder.pid]) },
});
