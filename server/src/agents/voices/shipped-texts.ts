import type { Flow } from "@parley/contract/flow";
import { joinableTexts } from "@parley/providers/local/clips/joinable-words";
import { textsOfCall } from "./texts-to-say.ts";

/** An agent whose words are shipped rendered. */
export interface ShippedAgent {
  readonly flow: Flow;
  readonly language: string;
}

/**
 * What is rendered before it is shipped, so that the first calls of a new installation have their natural voice at once:
 * everything that these agents say in a call without variables, recorded or not, and the words of dates, times and numbers.
 */
export function shippedTexts(agents: readonly ShippedAgent[]): readonly string[] {
  const said = agents.flatMap(({ flow, language }) =>
    [true, false].flatMap((isRecorded) => {
      const call = { ...SOME_CALL, isRecorded };
      const plan = { callId: SOME_CALL.id, flow, language, variables: {}, voicemail: null, call };
      const { texts, unknowable } = textsOfCall(plan);
      return unknowable === null ? texts : [];
    }),
  );
  return [...new Set([...said, ...joinableTexts()])];
}

const SOME_CALL = {
  id: "call_1",
  phoneNumber: "+15550100001",
  from: null,
  mode: "test",
  startedAtMs: 0,
  timeZone: "UTC",
} as const;
