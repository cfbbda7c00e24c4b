import { benchApi } from "./api/bench-api.ts";
import { benchBuilder } from "./builder/bench-builder.ts";
import { benchDashboard } from "./dashboard/bench-dashboard.ts";
import { benchDispatch } from "./dispatch/bench-dispatch.ts";
import { type Goal, printGoals } from "./goals.ts";
import { benchMedia } from "./media/bench-media.ts";
import { benchSpeech } from "./speech/bench-speech.ts";
import { benchTurns } from "./turns/bench-turns.ts";
import { benchWebhooks } from "./webhooks/bench-webhooks.ts";

const BENCHES: Readonly<Record<string, () => Promise<Goal[]>>> = {
  api: benchApi,
  builder: benchBuilder,
  dashboard: benchDashboard,
  dispatch: benchDispatch,
  media: benchMedia,
  speech: benchSpeech,
  turns: benchTurns,
  webhooks: benchWebhooks,
};

/** `npm run bench -- NAME`: prints a table and, last, a line per goal; exit 1 when one is missed. */
async function main(): Promise<void> {
  const name = process.argv[2] ?? "";
  const bench = BENCHES[name];
  if (!bench) {
    console.error(`Usage: npm run bench -- NAME\nBenchmarks: ${Object.keys(BENCHES).join(", ")}`);
    process.exit(2);
  }
  process.exit(printGoals(name, await bench()) ? 0 : 1);
}

await main();
