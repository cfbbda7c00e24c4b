import type { CalleeTurn } from "../../ports/brain.ts";
import { lowerCaseWords } from "../hearing/spoken-phrases.ts";
import { chain, type Step, stay } from "../step.ts";
import type { TurnState } from "../turn-state.ts";

/** The turn has probably ended: its reply is prepared. One that was prepared for other words is withdrawn. */
export function prepareReply(state: TurnState, turn: CalleeTurn): Step {
  if (state.prepared !== null && isSameTurn(state.prepared.turn, turn)) return stay(state);
  return chain(state, withdrawPrepared, (now) => {
    const turnId = now.turnId + 1;
    return [{ ...now, prepared: { turnId, turn } }, [{ type: "reply.prepare", turnId, turn }]];
  });
}

/** The prepared reply, if there is one, is not the reply: nothing of it remains. */
export function withdrawPrepared(state: TurnState): Step {
  const { prepared } = state;
  if (prepared === null) return stay(state);
  const { turnId } = prepared;
  return [{ ...state, prepared: null, turnId }, [{ type: "reply.withdraw", turnId }]];
}

/** Whether a reply to one is a reply to the other: punctuation and case do not change what is answered. */
export function isSameTurn(one: CalleeTurn, other: CalleeTurn): boolean {
  if (one.type !== "said" || other.type !== "said") return false;
  const isSameText = lowerCaseWords(one.text).join(" ") === lowerCaseWords(other.text).join(" ");
  return isSameText && one.best?.answer === other.best?.answer;
}
