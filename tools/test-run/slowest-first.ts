import { createHash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest on two cores, the longest first. Vitest orders by file size until it has measured a file on
 * the same machine, and these are short: started last, they would run alone while the other cores are idle.
 */
export const SLOWEST: readonly string[] = [
  "e2e/chaos/chaos.test.ts",
  "e2e/voice/own-failures.test.ts",
  "e2e/running/killed-first-start.thorough.test.ts",
  "e2e/voice/second-pass.thorough.test.ts",
  "e2e/dashboard/barriers.test.ts",
  "e2e/dashboard/page-height.thorough.test.ts",
  "e2e/dashboard/settings.thorough.test.ts",
  "e2e/bench/quick.test.ts",
  "e2e/voice/who-answered.thorough.test.ts",
  "e2e/dashboard/builder-try.thorough.test.ts",
  "e2e/dashboard/builder.test.ts",
  "e2e/api/fuzz.test.ts",
  "e2e/dashboard/operator.thorough.test.ts",
  "e2e/dashboard/keyboard/agents.thorough.test.ts",
  "e2e/sip/lost-service.thorough.test.ts",
  "e2e/voice/speech-to-speech.test.ts",
  "e2e/sip/baresip-calls.test.ts",
  "telephony/src/simulated-network/remote-audio.test.ts",
  "e2e/dashboard/keyboard/settings.thorough.test.ts",
  "e2e/dashboard/keyboard/newcomer.thorough.test.ts",
  "telephony/src/rtp/media/media-thread.test.ts",
  "providers/src/local/flite/flite-synthesizer.test.ts",
  "telephony/src/sip-carrier/sip-carrier.test.ts",
  "server/src/platform/database/migrate.db.test.ts",
  "server/src/cli/commands.db.test.ts",
  "server/src/phone/doctor/faults.test.ts",
  "server/src/platform/backup/backup.db.test.ts",
  "server/src/platform/database/embedded/start-embedded-postgres.test.ts",
  "providers/src/local/kokoro/speaking/voice-process.test.ts",
  "telephony/src/sip-carrier/real-lines.test.ts",
  "server/src/agents/samples/paraphrases.test.ts",
];

/** The slowest files first, then the others as Vitest orders them; at random if requested. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    if (shuffle) return files.toSorted((one, other) => (drawn(seed, one) < drawn(seed, other) ? -1 : 1));
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = SLOWEST.findIndex((path) => moduleId.endsWith(`/${path}`));
  return place === -1 ? SLOWEST.length : place;
}

function drawn(seed: number, { moduleId }: TestSpecification): string {
  return createHash("sha256").update(`${seed} ${moduleId}`).digest("hex");
}
