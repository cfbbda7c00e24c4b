import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Timestamp } from "./shared-fields.ts";

const TimeMs = z.int().meta({ description: "Milliseconds since the callee answered, as in the recording." });

const TranscriptWord = z
  .strictObject({ text: z.string(), startMs: TimeMs, endMs: TimeMs })
  .meta({ id: "TranscriptWord" });

export const ReplyTiming = z
  .strictObject({
    holdMs: z.int().meta({ description: "Waiting whether the callee was done." }),
    recognitionMs: z.int().meta({ description: "Recognition that was not hidden behind the hold." }),
    decisionMs: z.int(),
    firstAudioMs: z.int(),
    totalMs: z.int().meta({ description: "From the callee's last sound to the agent's first." }),
    ducks: z.int().meta({ description: "How often the agent lowered its voice since the last reply." }),
    interruptions: z.int(),
    undos: z.int().meta({ description: "How often the agent had begun to answer and the callee went on." }),
  })
  .meta({ id: "ReplyTiming", description: "Where the time of a reply went." });
export type ReplyTiming = z.infer<typeof ReplyTiming>;

/** What an agent made of the callee's turn, and what it went by. */
export const decisionFields = {
  nodeId: z.string().meta({ description: "The node that was open." }),
  taken: z.enum(["answer", "ask_back", "jump", "request", "not_understood"]).meta({
    description:
      "`answer`: taken for an answer. `ask_back`: it may have been one, so the agent asks. `jump`: another part of the flow is for it. `request`: something every agent knows, such as to repeat the question. `not_understood`: nothing fitted.",
  }),
  result: z
    .union([z.string(), z.number(), z.boolean(), z.null()])
    .meta({ description: "The value, node or request it was taken for; `null` when nothing fitted." }),
  evidence: z.enum(["words", "expected_answer", "similarity", "keys", "model"]).nullable().meta({
    description:
      "`words`: the recognized text. `expected_answer`: the expected answer that the audio fitted best. `similarity`: the meaning nearest to the text. `keys`: telephone keys. `model`: a language model.",
  }),
  score: z.number().nullable().meta({ description: "How sure the evidence was, from 0 to 1, where it says so." }),
};

export const TranscriptItem = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("speech"),
      role: z.enum(["callee", "agent"]),
      turn: z.int().meta({ description: "What the callee said and the reply to it have the same number." }),
      text: z.string().meta({ description: "What was said, or what the agent was to say." }),
      revisedText: z.string().nullable().meta({
        description: "What a stronger model understood of the callee after the call; `null` where none was asked.",
      }),
      heardText: z.string().meta({ description: "How much of it the callee heard." }),
      interrupted: z.boolean(),
      startMs: TimeMs,
      endMs: TimeMs,
      words: z.array(TranscriptWord).meta({ description: "Empty where the times of the words are not known." }),
      timing: ReplyTiming.nullable().meta({ description: "Of an agent's reply to the callee; else `null`." }),
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
    z.strictObject({ type: z.literal("node"), nodeId: z.string(), startMs: TimeMs }),
    z
      .strictObject({
        type: z.literal("decision"),
        turn: z.int().meta({ description: "The callee's turn that was decided on." }),
        ...decisionFields,
        startMs: TimeMs,
      })
      .meta({ description: "What the callee's turn was taken for, and by which evidence." }),
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
    reason: z.string().nullable().meta({ description: "Why it failed; else `null`." }),
  })
  .meta({ id: "SecondPass", description: "A stronger model's look at what the callee said, after the call." });
export type SecondPass = z.infer<typeof SecondPass>;

export const Transcript = z
  .strictObject({
    callId: idSchema("call"),
    status: TranscriptStatus,
    secondPass: SecondPass.nullable().meta({
      description: "`null` where the installation makes none, or has not begun with this call.",
    }),
    items: z
      .array(TranscriptItem)
      .meta({ description: "In the order in which they happened. A `node` stands right before the words said there." }),
  })
  .meta({ id: "Transcript", description: "What was said and done in a call." });
export type Transcript = z.infer<typeof Transcript>;

const TRANSCRIPT_FORMATS = ["json", "text", "srt", "vtt"] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

export const TranscriptQuery = z.strictObject({
  format: z.enum(TRANSCRIPT_FORMATS).optional().meta({
    description:
      "Goes before `Accept`. `text`, `srt` and `vtt` hold what was heard, as it was understood best, and nothing else.",
  }),
});
