import { z } from "zod";
import { AskNode } from "./flow-ask.ts";
import { ConversationNode, PromptExit, wishedModel } from "./flow-conversation.ts";
import { ending, FlowName, GoesTo, global, interruptible, placed, Text } from "./flow-fields.ts";
import { FlowTool, requesting, SavedValue } from "./flow-request.ts";
import { FlowSettings } from "./flow-settings.ts";

/** The version of the flow document this release writes and reads. */
const FLOW_SCHEMA_VERSION = 1;

const condition = z.string().max(1000).meta({ description: "Names such as `collected.day`, compared with something." });
const message = Text.meta({ description: "What is left after the beep. Only variables can stand in it." });
const farewell = Text.optional().meta({ description: "Said before the agent hangs up." });
const said = Text.meta({ description: "What the agent says. `{{name}}` stands for a value." });

export const FlowNode = z
  .discriminatedUnion("type", [
    z.strictObject({ ...placed, type: z.literal("start"), next: GoesTo }),
    z.strictObject({ ...placed, ...global, type: z.literal("say"), text: said, next: GoesTo, interruptible }),
    AskNode,
    ConversationNode,
    z.strictObject({
      ...placed,
      ...global,
      type: z.literal("branch"),
      exits: z
        .array(z.strictObject({ when: condition, next: GoesTo }))
        .max(20)
        .default([])
        .meta({ description: "Conditions such as `collected.guests > 6`, in order; the first that holds is taken." }),
      prompts: z.array(PromptExit).max(20).optional().meta({
        description: "Conditions in plain words, judged by a language model when none of the exits is taken.",
      }),
      model: wishedModel.meta({
        description:
          "The language model that judges them, by its name in the list of engines. Default: the installation's first.",
      }),
      otherwise: GoesTo.meta({ description: "Where to go when none holds." }),
    }),
    z.strictObject({
      ...placed,
      ...global,
      type: z.literal("tool"),
      ...requesting,
      saves: z.array(SavedValue).max(20).optional().meta({ description: "What to keep of the reply." }),
      next: GoesTo.meta({ description: "Where to go after a reply with a status from 200 to 299." }),
      failed: GoesTo.meta({ description: "Where to go after any other reply, or none in time." }),
    }),
    z.strictObject({
      ...placed,
      ...global,
      type: z.literal("set"),
      values: z
        .array(
          z.strictObject({
            saveAs: FlowName.meta({ description: "Name under which it is kept." }),
            value: z.string().max(1000).meta({ description: "An expression; a text stands in quotes." }),
          }),
        )
        .max(20)
        .meta({ description: "Names, each with an expression such as `collected.guests + 1`." }),
      next: GoesTo,
    }),
    z.strictObject({
      ...placed,
      ...global,
      type: z.literal("transfer"),
      text: Text.optional().meta({ description: "Said before the callee is connected." }),
      to: z.string().max(200).meta({ description: "A phone number with a plus sign, or a `{{name}}` that holds one." }),
      how: z.enum(["refer", "bridge", "auto"]).optional().meta({ description: "Default: `auto`." }),
      failed: GoesTo.meta({ description: "Where to go when the number may not be called or does not answer." }),
      ...ending,
      interruptible,
    }),
    z.strictObject({
      ...placed,
      ...global,
      type: z.literal("dtmf"),
      keys: z.string().max(64).meta({ description: "Keys to press: digits, `*` and `#`, or a `{{name}}`." }),
      next: GoesTo,
    }),
    z
      .strictObject({ ...placed, type: z.literal("voicemail"), text: message, ...ending })
      .meta({ description: "What is said to a voicemail after its beep. Nothing needs to lead here." }),
    z.strictObject({ ...placed, ...global, type: z.literal("end"), text: farewell, ...ending, interruptible }),
  ])
  .meta({ id: "FlowNode" });
export type FlowNode = z.infer<typeof FlowNode>;

export const FlowComment = z
  .strictObject({
    id: FlowName,
    text: z.string().max(2000),
    position: z.strictObject({ x: z.number(), y: z.number() }),
  })
  .meta({ id: "FlowComment", description: "A note for the people who work on the flow. Calls know nothing of it." });
export type FlowComment = z.infer<typeof FlowComment>;

export const Flow = z
  .strictObject({
    schemaVersion: z.literal(FLOW_SCHEMA_VERSION),
    variables: z.array(FlowName).max(100).default([]).meta({ description: "Names a call fills into `{{name}}`." }),
    nodes: z.array(FlowNode).max(500),
    tools: z.array(FlowTool).max(50).optional().meta({ description: "Requests that conversations may make." }),
    settings: FlowSettings.optional(),
    comments: z.array(FlowComment).max(200).optional().meta({ description: "Notes that lie between the nodes." }),
  })
  .meta({
    id: "Flow",
    description: "What an agent says and asks, as a graph. A draft may be unfinished; publishing compiles it.",
  });
export type Flow = z.infer<typeof Flow>;

export const EMPTY_FLOW: Flow = {
  schemaVersion: FLOW_SCHEMA_VERSION,
  variables: [],
  nodes: [],
  settings: { retries: { max: 2 } },
};
