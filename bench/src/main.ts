import { type Goal, printGoals } from "./goals.ts";
import { isQuick } from "./quick.ts";

/** Each is loaded when it is named: together they load the whole service and every voice. */
const BENCHES: Readonly<Record<string, () => Promise<Goal[]>>> = {
  api: async () => (await import("./api/bench-api.ts")).benchApi(),
  builder: async () => (await import("./builder/bench-builder.ts")).benchBuilder(),
  conversations: async () => (await import("./conversations/bench-conversations.ts")).benchConversations(),
  dashboard: async () => (await import("./dashboard/bench-dashboard.ts")).benchDashboard(),
  dispatch: async () => (await import("./dispatch/bench-dispatch.ts")).benchDispatch(),
  engines: async () => (await import("./engines/bench-engines.ts")).benchEngines(),
  growth: async () => (await import("./growth/bench-growth.ts")).benchGrowth(),
  hearing: async () => (await import("./hearing/bench-hearing.ts")).benchHearing(),
  media: async () => (await import("./media/bench-media.ts")).benchMedia(),
  "one-voice": async () => (await import("./voice/bench-one-voice.ts")).benchOneVoice(),
  overload: async () => (await import("./overload/bench-overload.ts")).benchOverload(),
  speech: async () => (await import("./speech/bench-speech.ts")).benchSpeech(),
  turns: async () => (await import("./turns/bench-turns.ts")).benchTurns(),
  understanding: async () => (await import("./understanding/bench-understanding.ts")).benchUnderstanding(),
  voice: async () => (await import("./voice/bench-voice.ts")).benchVoice(),
  webhooks: async () => (await import("./webhooks/bench-webhooks.ts")).benchWebhooks(),
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
