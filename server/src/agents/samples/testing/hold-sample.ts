import { openFlowRig } from "@parley/voice/conversation/testing/flow-rig";
import { type Talk, type TalkLine, talk } from "@parley/voice/conversation/testing/talk";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import type { SampleAgent } from "../sample-agent.ts";

/** Calls a sample agent on a Monday at noon, by text. */
export async function holdSample(
  sample: SampleAgent,
  lines: readonly TalkLine[],
  options: { readonly variables?: Readonly<Record<string, string>>; readonly models?: readonly LanguageModel[] } = {},
): Promise<Talk & { readonly outcome: unknown; readonly last: string }> {
  const { brain, faults } = openFlowRig(sample.flow, { variables: {}, ...options });
  const held = await talk(brain, lines);
  if (faults.length > 0) throw faults[0];
  return { ...held, outcome: held.collected["outcome"] ?? null, last: held.replies.at(-1) ?? "" };
}

export const VOICEMAIL = { type: "machine", kind: "voicemail" } as const;
