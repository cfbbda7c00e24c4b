import { z } from "zod";
import { ANSWERED_BY, EndReason } from "./calls.ts";
import { decisionFields, enteredFields } from "./transcripts.ts";
import { isOneFlow, ONE_FLOW_RULE, TryVariables, triedFlow } from "./try.ts";

/** The sample rate of the agent's audio, as on a telephone: 16-bit little-endian mono, in binary messages. */
export const TRY_VOICE_RATE_HZ = 8000;
/** The accepted sample rates of the microphone. */
const MICROPHONE_RATES_HZ = [8000, 16_000, 24_000, 48_000] as const;
export const TRY_VOICE_SECONDS_MAX = 600;

/**
 * The text messages of the browser. The first is `start`; it is followed by binary messages with microphone audio:
 * 16-bit little-endian mono, at most one second per message.
 */
export const TryVoiceCommand = z
  .discriminatedUnion("type", [
    z
      .strictObject({
        type: z.literal("start"),
        sampleRateHz: z.union(MICROPHONE_RATES_HZ.map((rate) => z.literal(rate))),
        ...triedFlow,
        variables: TryVariables.optional(),
      })
      .refine(isOneFlow, ONE_FLOW_RULE),
    z.strictObject({ type: z.literal("press"), keys: z.string().regex(/^[0-9*#]{1,32}$/) }),
    z.strictObject({ type: z.literal("hang_up") }),
  ])
  .meta({ id: "TryVoiceCommand" });
export type TryVoiceCommand = z.infer<typeof TryVoiceCommand>;

const AtMs = z.int().meta({ description: "Milliseconds since the start of the conversation." });

/** The text messages of the service, interleaved with binary messages that contain the agent's audio. */
export const TryVoiceEvent = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z
        .literal("ready")
        .meta({ description: "The agent is on the line: audio flows in both directions from now on." }),
      sampleRateHz: z.int(),
      secondsMax: z.int(),
    }),
    z.strictObject({ type: z.literal("node"), ...enteredFields, atMs: AtMs }),
    z.strictObject({ type: z.literal("decision"), turn: z.int(), ...decisionFields, atMs: AtMs }),
    z.strictObject({
      type: z.literal("speech"),
      role: z.enum(["callee", "agent"]),
      turn: z.int(),
      text: z.string(),
      heardText: z.string(),
      interrupted: z.boolean(),
      startMs: AtMs,
      endMs: AtMs,
    }),
    z.strictObject({
      type: z
        .literal("turn_undone")
        .meta({ description: "The callee continued: the messages about this turn are void." }),
      turn: z.int(),
    }),
    z.strictObject({
      type: z.literal("collected"),
      name: z.string(),
      value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
    }),
    z.strictObject({
      type: z.literal("answers_withdrawn").meta({
        description: "The speech came from a machine: only these values remain collected.",
      }),
      collected: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
    z.strictObject({ type: z.literal("tool_call"), id: z.string(), name: z.string(), input: z.unknown(), atMs: AtMs }),
    z.strictObject({
      type: z.literal("tool_result"),
      id: z.string(),
      name: z.string(),
      ok: z.boolean(),
      output: z.unknown(),
      atMs: AtMs,
    }),
    z.strictObject({ type: z.literal("pressed"), key: z.string(), by: z.enum(["callee", "agent"]), atMs: AtMs }),
    z.strictObject({ type: z.literal("answered_by"), kind: z.enum(ANSWERED_BY) }),
    z.strictObject({
      type: z.literal("language_noticed").meta({ description: "The callee speaks another language than the agent." }),
      language: z.string().meta({ description: "An ISO 639-1 code." }),
    }),
    z.strictObject({
      type: z
        .literal("transfer")
        .meta({ description: "A call would be transferred. A trial never dials, so the transfer fails." }),
      to: z.string(),
    }),
    z.strictObject({ type: z.literal("suppressed") }),
    z.strictObject({ type: z.literal("note"), text: z.string() }),
    z.strictObject({ type: z.literal("refused"), code: z.string(), message: z.string() }),
    z.strictObject({
      type: z.literal("ended").meta({ description: "The conversation has ended. This is the last message." }),
      reason: EndReason,
    }),
  ])
  .meta({ id: "TryVoiceEvent" });
export type TryVoiceEvent = z.infer<typeof TryVoiceEvent>;
