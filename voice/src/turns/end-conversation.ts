import type { ConversationEnd } from "../ports/conversation-journal.ts";
import { closeUtterance } from "./hearing/open-utterance.ts";
import { cutOff } from "./interruptions/cut-off.ts";
import { endInTruth } from "./own-failures.ts";
import { recite } from "./replies/start-reply.ts";
import { cancelTimers, chain, type Step, setTimer, stay } from "./step.ts";
import { noteCalleeSaid } from "./take-turn.ts";
import type { TimerName } from "./turn-events.ts";
import { replyOf, type TurnState } from "./turn-state.ts";
import { suspectUnheard } from "./unheard.ts";

/** No person was reached: values saved so far came from a machine or are irrelevant. */
const NOBODY_TALKED_TO: ReadonlySet<ConversationEnd> = new Set([
  "voicemail_hangup",
  "voicemail_left",
  "fax",
  "unreachable",
]);

/** Ends what is in progress, reports why, and leaves the line. Nothing happens afterwards. */
export function endConversation(state: TurnState, seeming: ConversationEnd, hangsUp: boolean): Step {
  const reason = endInTruth(state, seeming);
  return chain(
    state,
    suspectUnheard,
    (now) => (replyOf(now) === null ? stay(now) : cutOff(now)),
    noteLastWords,
    closeUtterance,
    (now) => cancelTimers(now, ...(Object.keys(now.timers) as TimerName[])),
    (now) => [
      { ...now, at: { phase: "ended", reason } },
      [
        ...(NOBODY_TALKED_TO.has(reason) ? [WITHDRAW_ALL] : []),
        { type: "journal.note", entry: { type: "over", reason } },
        ...(hangsUp ? [{ type: "line.hangup" } as const] : []),
      ],
    ],
  );
}

const WITHDRAW_ALL = { type: "journal.note", entry: { type: "answers_withdrawn", collected: {} } } as const;

/** What the callee had said so far is recorded, although nothing follows from it any more. */
function noteLastWords(state: TurnState): Step {
  const { utterance } = state;
  const isOurs = utterance?.beganOver === true && state.lineEchoes !== false;
  return utterance === null || isOurs || state.music.isOn ? stay(state) : noteCalleeSaid(state, utterance);
}

/** The last words were sent. The line stays open a moment: they are still in transit and in the far end's buffer. */
export function closeSoon(state: TurnState, reason: ConversationEnd, atMs: number): Step {
  return chain({ ...state, at: { phase: "closing", reason } }, closeUtterance, (now) =>
    setTimer(now, "hangup", atMs + now.settings.hangupTailMs),
  );
}

/** The callee or the network ended the call. */
export function loseLine(state: TurnState): Step {
  const { at } = state;
  // Completed speech counts, whichever side then hung up first.
  return endConversation(state, at.phase === "closing" ? at.reason : "callee_hangup", false);
}

/** The service ends the call: with a last line if the callee can hear one. */
export function endPolitely(state: TurnState, farewell: string | null, atMs: number): Step {
  const { phase } = state.at;
  if (phase === "closing") return stay(state);
  if (farewell === null || phase === "ringing" || phase === "transferring") {
    return endConversation(state, "agent_hangup", true);
  }
  const reply = replyOf(state);
  if (reply !== null && reply.source === "recital") return stay(state);
  return chain(state, cutOff, closeUtterance, (now) => recite(now, farewell, "agent_hangup", atMs));
}
