import { benchApi } from "./api/bench-api.ts";
import { benchBuilder } from "./builder/bench-builder.ts";
import { benchConversations } from "./conversations/bench-conversations.ts";
import { benchDashboard } from "./dashboard/bench-dashboard.ts";
import { benchDispatch } from "./dispatch/bench-dispatch.ts";
import { benchEngines } from "./engines/bench-engines.ts";
import { type Goal, printGoals } from "./goals.ts";
import { benchGrowth } from "./growth/bench-growth.ts";
import { benchHearing } from "./hearing/bench-hearing.ts";
import { benchMedia } from "./media/bench-media.ts";
import { benchOverload } from "./overload/bench-overload.ts";
import { isQuick } from "./quick.ts";
import { benchSpeech } from "./speech/bench-speech.ts";
import { benchTurns } from "./turns/bench-turns.ts";
import { benchUnderstanding } from "./understanding/bench-understanding.ts";
import { benchOneVoice } from "./voice/bench-one-voice.ts";
import { benchVoice } from "./voice/bench-voice.ts";
import { benchWebhooks } from "./webhooks/bench-webhooks.ts";

const BENCHES: Readonly<Record<string, () => Promise<Goal[]>>> = {
  api: benchApi,
  builder: benchBuilder,
  conversations: benchConversations,
  dashboard: benchDashboard,
  dispatch: benchDispatch,
  engines: benchEngines,
  growth: benchGrowth,
  hearing: benchHearing,
  media: benchMedia,
  "one-voice": benchOneVoice,
  overload: benchOverload,
  speech: benchSpeech,
  turns: benchTurns,
  understanding: benchUnderstanding,
  voice: benchVoice,
  webhooks: benchWebhooks,
};

/** It needs recordings of human voices, which no test installs. */
const WITHOUT_QUICK_FORM: readonly string[] = ["speech"];

/**
 * `npm run bench -- NAME`: prints a table and, last, a line per goal; exit 1 when one is missed. With `--quick` it does so little
 * that it takes seconds, and fails only when it breaks.
 */
async function main(): Promise<void> {
  const name = process.argv[2] ?? "";
  const bench = BENCHES[name];
  if (!bench) {
    console.error(`Usage: npm run bench -- NAME [--quick]\nBenchmarks: ${Object.keys(BENCHES).join(", ")}`);
    process.exit(2);
  }
  if (isQuick && WITHOUT_QUICK_FORM.includes(name)) {
    console.error(`${name} has no quick form.`);
    process.exit(2);
  }
  const isMet = printGoals(name, await bench());
  process.exit(isMet || isQuick ? 0 : 1);
}

await main();
