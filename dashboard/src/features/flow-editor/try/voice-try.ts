import type { CalleeStep, ToolReplies } from "@parley/contract/callee-steps";
import type { EndReason } from "@parley/contract/calls";
import type { Flow } from "@parley/contract/flow";
import type { CollectedValues } from "@parley/contract/try";
import type { TryVoiceEvent } from "@parley/contract/try-voice";
import { apiText } from "../../../api/text.ts";
import { decisionWords } from "../../calls/call-page/decision-text.ts";
import { languageName } from "../../engines/engine-words.ts";
import type { PathPoint } from "../model/editor-store.ts";
import { replyOf, type TryOutcome } from "./scenario-of-try.ts";
import { editorTryText } from "./text.tsx";
import { agentLine, asideLine, calleeLine, endLine, type TryLine } from "./try-lines.ts";

/** The state of a conversation by voice. */
export interface VoiceTalk {
  readonly lines: readonly TryLine[];
  readonly path: readonly PathPoint[];
  readonly collected: CollectedValues;
  readonly isSuppressed: boolean;
  readonly toolReplies: ToolReplies;
  readonly endReason: EndReason | null;
}

export const NOTHING_SAID: VoiceTalk = {
  lines: [],
  path: [],
  collected: {},
  isSuppressed: false,
  toolReplies: {},
  endReason: null,
};

/** Applies one message of the service about a conversation in this flow. */
export function applyVoiceEvent(talk: VoiceTalk, event: TryVoiceEvent, flow: Pick<Flow, "nodes">): VoiceTalk {
  const add = (...lines: readonly TryLine[]): VoiceTalk => ({ ...talk, lines: [...talk.lines, ...lines] });
  switch (event.type) {
    case "node":
      return { ...talk, path: [...talk.path, { nodeId: event.nodeId, exit: event.exit }] };
    case "speech": {
      const nodeId = talk.path.at(-1)?.nodeId ?? null;
      if (event.role === "callee") return add(calleeLine(event.text, { turn: event.turn }));
      const said = agentLine(event.text, { turn: event.turn, nodeId });
      return event.interrupted
        ? add(said, asideLine(editorTryText.youHadHeard(event.heardText), { turn: event.turn }))
        : add(said);
    }
    case "turn_undone":
      // The callee continued: both parts count as one, and are repeated as one.
      return { ...talk, lines: talk.lines.filter(({ turn }) => turn !== event.turn) };
    case "decision":
      return add(asideLine(decisionWords(event, flow), { turn: event.turn }));
    case "collected":
      return { ...talk, collected: { ...talk.collected, [event.name]: event.value } };
    case "answers_withdrawn":
      return { ...talk, collected: event.collected };
    case "tool_call":
      return add(asideLine(editorTryText.toolAsked(event.name)));
    case "tool_result":
      return {
        ...add(asideLine(editorTryText.toolAnswered(event.name, event.ok, false), { isWrong: !event.ok })),
        toolReplies: { ...talk.toolReplies, [event.name]: replyOf(event) },
      };
    case "pressed":
      return add(
        event.by === "callee"
          ? asideLine(editorTryText.youPressed(event.key), { key: event.key })
          : asideLine(editorTryText.agentPressed(event.key)),
      );
    case "transfer":
      return add(asideLine(editorTryText.trialWouldTransfer(event.to)));
    case "suppressed":
      return { ...add(asideLine(editorTryText.wouldSuppress)), isSuppressed: true };
    case "language_noticed":
      return add(asideLine(editorTryText.calleeSpeaks(languageName(event.language))));
    case "note":
      return add(asideLine(apiText.wordNote(event.text)));
    case "ended":
      return { ...add(endLine(event.reason)), endReason: event.reason };
    case "ready":
    case "answered_by":
    case "refused":
      return talk;
  }
}

/** A conversation as repeatable steps: what was said, in order, and keys. */
export function outcomeOfTalk(talk: VoiceTalk, variables: Readonly<Record<string, string>>): TryOutcome {
  const steps = talk.lines.flatMap((line): CalleeStep[] => {
    if (line.role === "callee") return [{ say: line.text }];
    return line.key === null ? [] : [{ press: line.key }];
  });
  return {
    steps,
    variables,
    collected: talk.collected,
    path: talk.path.map(({ nodeId }) => nodeId),
    endReason: talk.endReason,
    isSuppressed: talk.isSuppressed,
    toolReplies: talk.toolReplies,
  };
}
