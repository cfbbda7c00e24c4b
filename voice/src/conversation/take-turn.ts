import { SILENCE_PROMPTS } from "@parley/flow/phrases";
import type { CalleeTurn } from "../ports/brain.ts";
import { askAgain, askOf } from "./ask-question.ts";
import { type CallScope, nodeOf, phrase, say, speak } from "./call-scope.ts";
import type { FlowState } from "./flow-state.ts";
import { hearKeys, hearWords } from "./hear-words.ts";
import { identification } from "./identification.ts";
import { leaveCall } from "./leave-call.ts";
import { LISTEN, type Outcome, OVER } from "./outcome.ts";
import { failAnswer } from "./take-answer.ts";
import { waitOn } from "./wait-on.ts";
import { enterNode } from "./walk-flow.ts";

const TURNS_MAX = 200;

/** What the agent says when the call begins. */
export function openFlow(scope: CallScope, state: FlowState): Outcome {
  return enterNode(scope, state, scope.plan.startId);
}

/** What follows from a turn of the callee. Pure: what needs somebody else comes back as `waitsFor`. */
export function takeTurn(scope: CallScope, from: FlowState, turn: CalleeTurn): Outcome {
  const state = { ...from, turns: from.turns + (turn.type === "said" || turn.type === "pressed" ? 1 : 0) };
  if (state.at.name === "ended") return { state, parts: [{ type: "end", reason: "finished" }], waitsFor: OVER };
  if (turn.type === "machine") return meetMachine(scope, state, turn.kind);
  if (state.at.name === "ready") return openFlow(scope, state);
  if (turn.type === "transfer_failed") return failTransfer(scope, state);
  if (state.turns > (scope.plan.settings.limits?.turnsMax ?? TURNS_MAX)) return leaveCall(scope, state);
  switch (turn.type) {
    case "silent":
      return breakSilence(scope, state, turn.count);
    case "unclear":
      return hearNothing(scope, state);
    case "pressed":
      return hearKeys(scope, state, turn.keys);
    case "said":
      return turn.text.trim() === "" ? hearNothing(scope, state) : hearWords(scope, state, turn);
  }
}

function hearNothing(scope: CallScope, state: FlowState): Outcome {
  const { at } = state;
  if (at.name === "asking") return failAnswer(scope, state, askOf(scope, at), "not_heard");
  if (at.name === "conversing") return { state, parts: say(phrase(scope, "not_heard"), true), waitsFor: LISTEN };
  return waitOn(scope, state);
}

function breakSilence(scope: CallScope, state: FlowState, count: number): Outcome {
  const { at } = state;
  const prompts = scope.plan.settings.silence?.prompts ?? SILENCE_PROMPTS;
  const wording = prompts[Math.min(Math.max(1, count), prompts.length) - 1] ?? "";
  const prompt = speak(scope, { collected: {} }, wording);
  if (at.name === "asking") return askAgain(scope, state, at, [prompt]);
  if (at.name === "conversing") return { state, parts: say(prompt, true), waitsFor: LISTEN };
  return waitOn(scope, state);
}

function failTransfer(scope: CallScope, state: FlowState): Outcome {
  const { at } = state;
  if (at.name !== "transferring") return waitOn(scope, state);
  const node = nodeOf(scope, at.nodeId);
  return node.type === "transfer" && node.failed !== undefined
    ? enterNode(scope, state, node.failed)
    : leaveCall(scope, state);
}

/** Who comes to the message otherwise than by a voicemail hears it like any goodbye. */
function leaveMessage(scope: CallScope, state: FlowState, voicemailId: string): Outcome {
  const message = enterNode(scope, state, voicemailId);
  return {
    ...message,
    parts: message.parts.map((part) => (part.type === "end" ? { ...part, reason: "voicemail_left" } : part)),
  };
}

function meetMachine(scope: CallScope, state: FlowState, kind: "voicemail" | "ivr" | "screening" | "fax"): Outcome {
  const { plan } = scope;
  const close = (reason: "voicemail_hangup" | "fax"): Outcome => ({
    state: { ...state, at: { name: "ended" } },
    parts: [{ type: "end", reason }],
    waitsFor: OVER,
  });
  switch (kind) {
    case "fax":
      return close("fax");
    case "voicemail":
      return plan.voicemailId === null ? close("voicemail_hangup") : leaveMessage(scope, state, plan.voicemailId);
    case "ivr":
      if (plan.settings.phoneMenu === undefined) return { state, parts: [], waitsFor: LISTEN };
      return enterNode(scope, state, plan.settings.phoneMenu);
    case "screening": {
      const parts = say(identification(scope, state), false);
      return { state, parts, waitsFor: LISTEN };
    }
  }
}
