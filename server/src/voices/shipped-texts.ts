import { joinableTexts } from "@parley/providers/local/clips/joinable-words";
import { APPOINTMENT_CONFIRMATION } from "../agents/samples/appointment-confirmation.ts";
import { DELIVERY_NOTICE } from "../agents/samples/delivery-notice.ts";
import { textsOfCall } from "./texts-to-say.ts";

/** The others are rendered by each installation itself, soon after its start. */
const SHIPPED_AGENTS = [APPOINTMENT_CONFIRMATION, DELIVERY_NOTICE];

/**
 * What is rendered before it is shipped, so that the first calls of a new installation have their natural voice at once:
 * everything that some sample agents say in a call without variables, recorded or not, and the words of dates, times and
 * numbers. The first agent in the list is the one whose id a newcomer is shown.
 */
export function shippedTexts(): readonly string[] {
  const said = SHIPPED_AGENTS.flatMap(({ flow, language }) =>
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
