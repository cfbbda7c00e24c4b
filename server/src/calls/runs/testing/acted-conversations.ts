import { EMPTY_FLOW } from "@parley/contract/flow";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { LineEvent } from "@parley/voice/ports/line";
import type { LineRequest } from "../../../speech/conversations/conversation-messages.ts";
import type { ConversationPlan } from "../../../speech/conversations/conversation-plan.ts";
import type { Conversations } from "../../../speech/conversations/conversation-pool.ts";
import type { ConversationListener } from "../../../speech/conversations/conversation-thread.ts";
import type { PartUse } from "../../../speech/engines/part-meter.ts";
import type { RecordingRequest } from "../../recordings/recorder/recorder.ts";
import type { RecordingOutcome } from "../../recordings/recorder/recording-outcome.ts";
import type { TalkDeps } from "../deps.ts";

/** A scripted agent and recorder in place of threads. */
export interface ActedTalk {
  readonly deps: TalkDeps;
  readonly told: LineEvent[];
  /** How often the agent was asked to say goodbye. */
  farewells: number;
  readonly plans: ConversationPlan[];
  readonly recorded: RecordingRequest[];
  /** Why no call can be conducted; null while it can. */
  trouble: string | null;
  note(...entries: readonly JournalEntry[]): void;
  /** A part of the engine was used. */
  use(use: PartUse): void;
  ask(request: LineRequest): void;
  /** The agent's thread is gone. */
  die(): void;
  finish(): void;
  endRecording(outcome: RecordingOutcome): void;
}

export function actTalk(): ActedTalk {
  const recording = Promise.withResolvers<RecordingOutcome>();
  let listener: ConversationListener | null = null;
  const conversations: Conversations = {
    async ready() {
      if (acted.trouble !== null) throw new Error(acted.trouble);
    },
    begin(plan, _media, heard) {
      acted.plans.push(plan);
      listener = heard;
      return {
        tell: (event) => void acted.told.push(event),
        setRoundTripMs: () => undefined,
        endPolitely: () => {
          acted.farewells += 1;
        },
      };
    },
  };
  const acted: ActedTalk = {
    deps: {
      conversations,
      recorder: {
        folder: "/recordings",
        record(request) {
          acted.recorded.push(request);
          return { outcome: recording.promise, finish: () => undefined };
        },
      },
      async planTalk(call) {
        const { id, phone_number: phoneNumber, mode, variables, voicemail, record: isRecorded } = call;
        const facts = { id, phoneNumber, from: null, mode, startedAtMs: 0, timeZone: "UTC", isRecorded };
        return { callId: id, flow: EMPTY_FLOW, language: "en-US", variables, voicemail, call: facts };
      },
      mayDial: async () => ({ isAllowed: true }),
    },
    told: [],
    farewells: 0,
    plans: [],
    recorded: [],
    trouble: null,
    note(...entries) {
      for (const entry of entries) listener?.hear({ type: "noted", entry });
    },
    use: (use) => listener?.hear({ type: "used", use }),
    ask: (request) => listener?.hear({ type: "asked", request }),
    die() {
      listener?.hear({ type: "failed", reason: "the thread is gone" });
      listener?.hear({ type: "finished" });
    },
    finish: () => listener?.hear({ type: "finished" }),
    endRecording: recording.resolve,
  };
  return acted;
}
