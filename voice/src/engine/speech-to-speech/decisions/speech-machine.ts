import type { OwnLine, OwnLineName, UnspokenLine } from "../../../ports/speech-model.ts";
import { considerSilence, endTurn, pressKey, replyToKeys, startTurn } from "./follow-callee.ts";
import { answerByScript, returnFunction } from "./follow-script.ts";
import { followTransfer, resumeAfterTransfer } from "./follow-transfer.ts";
import { carryOut, considerLeaving, endByService, endCall, loseLine } from "./leave-line.ts";
import { answerCall, beginScript, considerOpening, identifyCaller, playIdentification } from "./open-conversation.ts";
import {
  apologize,
  considerModel,
  considerMoment,
  continueWithNextModel,
  finishReply,
  playApology,
  playMoment,
  replaceModel,
  reportUnspoken,
} from "./replace-model.ts";
import { followSpeech, remindOfRequiredWords } from "./request-reply.ts";
import { considerMessage, considerPermit, followMachine, screenAnswer } from "./screen-answer.ts";
import type { SpeechState } from "./speech-state.ts";
import { chain, perform, type SpeechEvent, type SpeechStep, type SpeechTimer, stay } from "./speech-step.ts";

/**
 * Decides what one event means for a conversation that a model conducts: the model decides what is said and when; what was
 * heard, and how the call ends, is decided here. Pure: what is seen on the line is part of the state. The phases a
 * conversation can be in are listed in speech-state.ts; each kind of decision has a file of its own in this folder.
 */
export function stepSpeech(state: SpeechState, event: SpeechEvent): SpeechStep {
  if (state.at.phase === "over") return stay(state);
  switch (event.type) {
    case "line.answered":
      return answerCall(state);
    case "line.key_pressed":
      return pressKey(state, event.key);
    case "line.audio_missing":
      return stay({ ...state, isAudioMissing: true });
    case "line.audio_returned":
      return stay({ ...state, isAudioMissing: false });
    case "line.transfer_progressed":
      return followTransfer(state, event);
    case "line.ended":
      return loseLine(state);
    case "ticked":
      return chain(
        state,
        considerOpening,
        considerPermit,
        considerMessage,
        considerModel,
        considerMoment,
        considerSilence,
        remindOfRequiredWords,
        considerLeaving,
      );
    case "timer.fired":
      return fireTimer(state, event.timer);
    case "screening.decided":
      return screenAnswer(state, event.decision);
    case "callee.started":
      return startTurn(state);
    case "callee.stopped":
      return endTurn(state, event.endMs);
    case "callee.said":
      return [state, [{ type: "script.hear", text: event.text }]];
    case "model.spoke":
      return followSpeech(state, event.speech, event.wasStopped);
    case "model.replied":
      return finishReply(state, event.failure);
    case "model.lost":
      return replaceModel(state, event.reason);
    case "model.replaced":
      return continueWithNextModel(state, event);
    case "model.not_replaced":
      return apologize(state, event.reason, event.cause);
    case "own_line.ready":
      return playOwnLine(state, event.name, event.line);
    case "script.begun":
      return beginScript(state, event.opening);
    case "script.heard":
      return answerByScript(state, event.step);
    case "script.met_machine":
      return followMachine(state, event.kind, event.step);
    case "script.transfer_failed":
      return resumeAfterTransfer(state, event.step);
    case "function.returned":
      return returnFunction(state, event.request, event.outcome, event.isCallerPresent);
    case "service.ends":
      return endByService(state, event.isPolite);
    case "engine.failed":
      return chain(state, perform({ type: "incident", what: "conversation_failed", reason: event.reason }), (now) =>
        endCall(now, "engine_error", true),
      );
  }
}

function playOwnLine(state: SpeechState, name: OwnLineName, line: OwnLine | UnspokenLine): SpeechStep {
  if ("unspoken" in line) return reportUnspoken(state, name, line.unspoken);
  switch (name) {
    case "identification":
      return playIdentification(state, line);
    case "moment":
      return playMoment(state, line);
    case "apology":
      return playApology(state, line);
  }
}

function fireTimer(state: SpeechState, timer: SpeechTimer): SpeechStep {
  switch (timer) {
    case "identify":
      return identifyCaller(state);
    case "keys":
      return replyToKeys(state);
    case "farewell":
    case "hang_up":
      return carryOut(state);
    case "transfer":
      return followTransfer(state, { state: "failed", reason: "it took too long" });
  }
}
