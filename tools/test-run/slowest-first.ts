import { createHash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest on two cores, the longest first. Vitest orders by file size until it has measured a file on
 * the same machine, and these are short: started last, they would run alone while the other cores are idle.
 */
export const SLOWEST: readonly string[] = [
  "e2e/bench/quick.test.ts",
  "e2e/programs/command-line.test.ts",
  "e2e/sdk/sdks.test.ts",
  "e2e/dashboard/barriers.test.ts",
  "e2e/voice/own-failures.test.ts",
  "e2e/chaos/chaos.test.ts",
  "e2e/running/killed-first-start.thorough.test.ts",
  "e2e/voice/second-pass.thorough.test.ts",
  "e2e/dashboard/keyboard/build.thorough.test.ts",
  "e2e/dashboard/keyboard/claim.thorough.test.ts",
  "e2e/dashboard/keyboard/agents.thorough.test.ts",
  "e2e/dashboard/keyboard/settings.thorough.test.ts",
  "e2e/dashboard/page-height.thorough.test.ts",
  "e2e/dashboard/settings.thorough.test.ts",
  "e2e/voice/who-answered.thorough.test.ts",
  "e2e/dashboard/builder-try.thorough.test.ts",
  "e2e/dashboard/builder-conflicts.thorough.test.ts",
  "e2e/dashboard/builder-numbers.thorough.test.ts",
  "e2e/dashboard/webhooks.thorough.test.ts",
  "e2e/dashboard/keyboard/outage.thorough.test.ts",
  "e2e/dashboard/keyboard/webhooks.thorough.test.ts",
  "e2e/dashboard/keyboard/many-calls.thorough.test.ts",
  "e2e/dashboard/keyboard/two-tabs.thorough.test.ts",
  "e2e/dashboard/keyboard/dialogs.thorough.test.ts",
  "e2e/api/fuzz.test.ts",
  "e2e/api/access-matrix.test.ts",
  "e2e/dashboard/links.test.ts",
  "e2e/dashboard/first-visit.test.ts",
  "e2e/running/npm-start.test.ts",
  "e2e/dashboard/operator.thorough.test.ts",
  "e2e/sip/lost-service.thorough.test.ts",
  "e2e/webhooks/delivery.test.ts",
  "e2e/dashboard/builder.test.ts",
  "e2e/programs/mcp-server.test.ts",
  "e2e/sdk/exactly-once.test.ts",
  "e2e/voice/speech-to-speech.test.ts",
  "e2e/sip/baresip-calls.test.ts",
  "telephony/src/simulated-network/remote-audio.test.ts",
  "e2e/dashboard/keyboard/newcomer.thorough.test.ts",
  "server/src/cli/commands.db.test.ts",
  "telephony/src/telnyx/telnyx-faults.test.ts",
  "telephony/src/twilio/twilio-faults.test.ts",
  "server/src/platform/database/distribution/distribute.db.test.ts",
  "telephony/src/telnyx/telnyx-carrier.test.ts",
  "telephony/src/twilio/twilio-carrier.test.ts",
  "telephony/src/sip-carrier/sip-carrier.test.ts",
  "telephony/src/telnyx/at-most-once.test.ts",
  "telephony/src/twilio/at-most-once.test.ts",
  "server/src/platform/database/months/upgrade.db.test.ts",
  "providers/src/local/flite/flite-synthesizer.test.ts",
  "telephony/src/rtp/media/media-thread.test.ts",
  "server/src/speech/conversations/conversation-pool.test.ts",
  "server/src/phone/doctor/faults.test.ts",
  "providers/src/local/stt/recognizer-thread.test.ts",
  "server/src/calls/runs/simulated-calls.test.ts",
  "server/src/accounts/first-account.db.test.ts",
  "server/src/platform/database/embedded/start-embedded-postgres.test.ts",
  "server/src/platform/backup/backup.db.test.ts",
  "server/src/accounts/credentials/password-judge.test.ts",
  "telephony/src/sip-carrier/real-lines.test.ts",
  "server/src/phone/doctor/examine-trunk.test.ts",
  "providers/src/local/kokoro/speaking/voice-process.test.ts",
  "server/src/platform/database/migrate.db.test.ts",
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
