import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Timestamp } from "./shared-fields.ts";

const TimeMs = z.int().meta({ description: "Milliseconds since the callee answered, as in the recording." });

const TranscriptWord = z
  .strictObject({ text: z.string(), startMs: TimeMs, endMs: TimeMs })
  .meta({ id: "TranscriptWord" });

/** The stages of a reply, in the order in which they usually follow each other. */
export const REPLY_STAGES = [
  "hold",
  "detection",
  "recognition_queue",
  "recognition",
  "own_speech",
  "scheduling",
  "judges",
  "model",
  "tool",
  "flow",
  "voice",
  "playout",
] as const;
export type ReplyStageName = (typeof REPLY_STAGES)[number];

export const ReplyStage = z
  .strictObject({
    stage: z.enum(REPLY_STAGES).meta({
      description:
        "`hold`: waiting to be sure that the callee had finished. `detection`: the end of the callee's speech was noticed late. `recognition_queue`: recognition waited for a free process. `recognition`: recognition, as far as it was not done during the hold. `own_speech`: the agent was still speaking. `scheduling`: the conversation's thread was busy. `judges`: second opinions on the answer. `model`: a language model, until its first words. `tool`: a request to another system. `flow`: everything else until the first words were decided. `voice`: speech synthesis, until its first audio. `playout`: until that audio was sent.",
    }),
    ms: z.int().min(1),
  })
  .meta({ id: "ReplyStage" });
export type ReplyStage = z.infer<typeof ReplyStage>;

export const ReplyTiming = z
  .strictObject({
    holdMs: z.int().meta({ description: "Waiting to be sure that the callee had finished." }),
    recognitionMs: z.int().meta({ description: "Recognition beyond the hold." }),
    decisionMs: z.int(),
    firstAudioMs: z.int(),
    totalMs: z.int().meta({ description: "From the end of the callee's speech to the start of the agent's." }),
    ducks: z.int().meta({ description: "How often the agent lowered its voice since the previous reply." }),
    interruptions: z.int(),
    undos: z.int().meta({ description: "How often the agent started to reply while the callee continued." }),
    stages: z.array(ReplyStage).readonly().optional().meta({
      description:
        "What the callee waited for, in order. The durations add up to `totalMs`; stages that took no time are left out. Missing in transcripts of earlier releases.",
    }),
  })
  .meta({ id: "ReplyTiming", description: "The components of a reply's latency." });
export type ReplyTiming = z.infer<typeof ReplyTiming>;

/** A node that the conversation entered, and how. */
export const enteredFields = {
  nodeId: z.string(),
  exit: z.string().optional().meta({
    description:
      "The exit of the previous node that led here: `next`, `otherwise`, `failed`, or the place of the answer, condition or way out, such as `exits[1].next`. Left out at the first node, after a jump, and in transcripts of earlier releases.",
  }),
};

/** How an agent interpreted the callee's turn, and on which evidence. */
export const decisionFields = {
  nodeId: z.string().meta({ description: "The node whose question was open." }),
  taken: z.enum(["answer", "ask_back", "jump", "request", "not_understood"]).meta({
    description:
      "`answer`: an answer to the question. `ask_back`: a possible answer that the agent asks about. `jump`: to another part of the flow. `request`: something every agent can do, such as repeating the question. `not_understood`: nothing matched.",
  }),
  result: z
    .union([z.string(), z.number(), z.boolean(), z.null()])
    .meta({ description: "The value, node or request; `null` if nothing matched." }),
  evidence: z.enum(["words", "expected_answer", "similarity", "keys", "judge", "model"]).nullable().meta({
    description:
      "`words`: the recognized text. `expected_answer`: the expected answer that matched the audio best. `similarity`: the answer closest in meaning. `keys`: telephone keys. `judge`: the local judge of answers. `model`: a language model.",
  }),
  score: z.number().nullable().meta({ description: "The confidence of the evidence, from 0 to 1, if known." }),
  why: z
    .array(z.strictObject({ judge: z.string().meta({ example: "parse" }), says: z.string() }))
    .readonly()
    .optional()
    .meta({
      description: "What spoke for or against the answer, such as a condition; left out where nothing did.",
    }),
};

export const TranscriptItem = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("speech"),
      role: z.enum(["callee", "agent"]),
      turn: z.int().meta({ description: "The callee's speech and the reply to it have the same number." }),
      text: z.string().meta({ description: "What was said, or what the agent intended to say." }),
      revisedText: z.string().nullable().meta({
        description: "The text recognized by a stronger model after the call; `null` without a second pass.",
      }),
      heardText: z.string().meta({ description: "The part that the callee heard." }),
      interrupted: z.boolean(),
      startMs: TimeMs,
      endMs: TimeMs,
      words: z.array(TranscriptWord).meta({ description: "Empty if the times of the words are unknown." }),
      confidence: z.number().min(0).max(1).optional().meta({
        description: "How certain recognition was of the callee's words, if it says; otherwise left out.",
      }),
      language: z.string().optional().meta({
        description: "The language that recognition identified, as a BCP 47 tag, if it says; otherwise left out.",
      }),
      timing: ReplyTiming.nullable().meta({ description: "For an agent's reply to the callee; otherwise `null`." }),
    }),
    z.strictObject({
      type: z.literal("tool_call"),
      id: z.string(),
      name: z.string(),
      input: z.unknown(),
      startMs: TimeMs,
    }),
    z.strictObject({
      type: z.literal("tool_result"),
      id: z.string(),
      name: z.string(),
      ok: z.boolean(),
      output: z.unknown(),
      startMs: TimeMs,
    }),
    z.strictObject({ type: z.literal("node"), ...enteredFields, startMs: TimeMs }),
    z
      .strictObject({
        type: z.literal("decision"),
        turn: z.int().meta({ description: "The callee's turn that was interpreted." }),
        ...decisionFields,
        startMs: TimeMs,
      })
      .meta({ description: "How the callee's turn was interpreted, and on which evidence." }),
    z.strictObject({ type: z.literal("dtmf"), key: z.string(), by: z.enum(["callee", "agent"]), startMs: TimeMs }),
    z.strictObject({ type: z.literal("note"), text: z.string(), startMs: TimeMs }),
  ])
  .meta({ id: "TranscriptItem" });
export type TranscriptItem = z.infer<typeof TranscriptItem>;

const TRANSCRIPT_STATUSES = ["in_progress", "ready", "erased"] as const;
export const TranscriptStatus = z.enum(TRANSCRIPT_STATUSES).meta({ id: "TranscriptStatus" });

export const SecondPass = z
  .strictObject({
    status: z.enum(["running", "done", "failed"]),
    model: z.string().meta({ example: "base" }),
    finishedAt: Timestamp.nullable(),
    reason: z.string().nullable().meta({ description: "Why it failed; otherwise `null`." }),
  })
  .meta({ id: "SecondPass", description: "Transcription of the callee by a stronger model after the call." });
export type SecondPass = z.infer<typeof SecondPass>;

export const Transcript = z
  .strictObject({
    callId: idSchema("call"),
    status: TranscriptStatus,
    secondPass: SecondPass.nullable().meta({
      description: "`null` if it is disabled, or has not started for this call.",
    }),
    items: z
      .array(TranscriptItem)
      .meta({ description: "In chronological order. A `node` comes directly before the words said there." }),
  })
  .meta({ id: "Transcript", description: "The transcript of a call." });
export type Transcript = z.infer<typeof Transcript>;

const TRANSCRIPT_FORMATS = ["json", "text", "srt", "vtt"] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

export const TranscriptQuery = z.strictObject({
  format: z.enum(TRANSCRIPT_FORMATS).optional().meta({
    description:
      "Overrides `Accept`. `text`, `srt` and `vtt` contain only what was heard, in the best available transcription.",
  }),
});
