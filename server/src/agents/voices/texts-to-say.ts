import type { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { joinableTexts } from "@parley/providers/local/clips/joinable-words";
import { type CallFacts, openContext } from "@parley/voice/conversation/call-context";
import type { ConversationPlan } from "../../speech/conversations/conversation-plan.ts";
import { callTexts } from "./call-texts.ts";

/** What has to lie ready before a flow can be spoken with a natural voice. */
export interface TextsToSay {
  readonly texts: readonly string[];
  /** Why it cannot be known what will be said; null when it can. */
  readonly unknowable: string | null;
}

const NOTHING: TextsToSay = { texts: [], unknowable: null };
/** Said when the service has to end a call, unless the agent words it otherwise. */
const FAREWELL = "I am sorry, I have to end this call now. Goodbye.";

/** Everything that may be said in a call, with its variables. */
export function textsOfCall({ flow, language, variables, voicemail, call }: ConversationPlan): TextsToSay {
  const message = voicemail?.message === undefined ? [] : [voicemail.message];
  return gather(flow, language, { ...call, isRecorded: call.isRecorded }, variables, [FAREWELL, ...message]);
}

/** What every call to a version of an agent may say, whatever its variables. */
export function textsOfVersion(flow: Flow, language: string): TextsToSay {
  const both = [true, false].map((isRecorded) => gather(flow, language, { ...NO_CALL, isRecorded }, null, [FAREWELL]));
  const texts = [...new Set(both.flatMap((each) => each.texts))];
  return { texts, unknowable: both[0]?.unknowable ?? null };
}

const NO_CALL: Omit<CallFacts, "isRecorded"> = {
  id: "",
  phoneNumber: "",
  from: null,
  mode: "test",
  startedAtMs: 0,
  timeZone: "UTC",
};

function gather(
  flow: Flow,
  language: string,
  call: CallFacts,
  variables: Readonly<Record<string, string>> | null,
  alsoSaid: readonly string[],
): TextsToSay {
  if (!/^en\b/i.test(language)) return { ...NOTHING, unknowable: `the natural voices do not speak ${language}` };
  const compiled = compileFlow(flow);
  if (!compiled.ok) return { ...NOTHING, unknowable: "the flow does not compile" };
  const context = openContext(compiled.plan, call, language, variables ?? {});
  const { clauses, pieces, needsJoinable, unknowable } = callTexts(context, { variables, alsoSaid });
  return { texts: [...clauses, ...pieces, ...(needsJoinable ? joinableTexts() : [])], unknowable };
}
