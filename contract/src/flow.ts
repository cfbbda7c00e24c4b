import { z } from "zod";
import { AskNode } from "./flow-ask.ts";
import { ConversationNode, PromptExit, requestedModel } from "./flow-conversation.ts";
import { ending, FlowName, GoesTo, global, interruptible, placed, Text } from "./flow-fields.ts";
import { FlowTool, requesting, SavedValue } from "./flow-request.ts";
import { FlowSettings } from "./flow-settings.ts";
import { SubFlowNode } from "./flow-sub-flow.ts";

/** The version of the flow document that this release reads and writes. */
const FLOW_SCHEMA_VERSION = 1;

const condition = z.string().max(1000).meta({ description: "A condition over names such as `collected.day`." });
const message = Text.meta({ description: "The message after the beep. It may only use variables." });
const farewell = Text.optional().meta({ description: "Spoken before the agent hangs up." });
const said = Text.meta({ description: "What the agent says, with `{{name}}` placeholders." });

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
        .meta({ description: "Conditions such as `collected.guests > 6`, in order; the first that is true is taken." }),
      prompts: z.array(PromptExit).max(20).optional().meta({
        description: "Conditions in plain words, evaluated by a language model if none of the exits is taken.",
      }),
      model: requestedModel.meta({
        description:
          "The language model that evaluates them, by its name in the list of engines. Default: the installation's first.",
      }),
      otherwise: GoesTo.meta({ description: "The next node if none is true." }),
    }),
    z.strictObject({
      ...placed,
      ...global,
      type: z.literal("tool"),
      ...requesting,
      saves: z.array(SavedValue).max(20).optional().meta({ description: "Values to save from the reply." }),
      next: GoesTo.meta({ description: "The next node after a reply with a status from 200 to 299." }),
      failed: GoesTo.meta({ description: "The next node after any other reply or a timeout." }),
    }),
    z.strictObject({
      ...placed,
      ...global,
      type: z.literal("set"),
      values: z
        .array(
          z.strictObject({
            saveAs: FlowName.meta({ description: "The name under which it is saved." }),
            value: z.string().max(1000).meta({ description: "An expression; texts are quoted." }),
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
      text: Text.optional().meta({ description: "Spoken before the callee is connected." }),
      to: z
        .string()
        .max(200)
        .meta({ description: "A phone number with a plus sign, or a `{{name}}` that contains one." }),
      how: z.enum(["refer", "bridge", "auto"]).optional().meta({ description: "Default: `auto`." }),
      failed: GoesTo.meta({ description: "The next node if the number may not be called or does not answer." }),
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
    SubFlowNode,
    z
      .strictObject({ ...placed, type: z.literal("voicemail"), text: message, ...ending })
      .meta({ description: "The message left on a voicemail after the beep. No node needs to lead here." }),
    z.strictObject({ ...placed, ...global, type: z.literal("end"), text: farewell, ...ending, interruptible }),
  ])
  .meta({ id: "FlowNode" });
export type FlowNode = z.infer<typeof FlowNode>;

export const COMMENT_COLORS = ["yellow", "green", "blue", "purple", "red", "gray"] as const;

export const FlowComment = z
  .strictObject({
    id: FlowName,
    text: z.string().max(2000),
    position: z.strictObject({ x: z.number(), y: z.number() }),
    size: z
      .strictObject({ width: z.number().min(80).max(4000), height: z.number().min(48).max(4000) })
      .optional()
      .meta({ description: "Its size on the canvas. Default: 220 by 120." }),
    color: z.enum(COMMENT_COLORS).optional().meta({ description: "Default: `yellow`." }),
  })
  .meta({ id: "FlowComment", description: "A note for people who edit the flow. It has no effect on calls." });
export type FlowComment = z.infer<typeof FlowComment>;

export const FlowGroup = z
  .strictObject({
    id: FlowName,
    name: z.string().max(120),
    nodeIds: z.array(FlowName).max(500).meta({ description: "The nodes that belong together." }),
    color: z.enum(COMMENT_COLORS).optional().meta({ description: "Default: `gray`." }),
  })
  .meta({ id: "FlowGroup", description: "A named frame around nodes on the canvas. It has no effect on calls." });
export type FlowGroup = z.infer<typeof FlowGroup>;

export const Flow = z
  .strictObject({
    schemaVersion: z.literal(FLOW_SCHEMA_VERSION),
    variables: z
      .array(FlowName)
      .max(100)
      .default([])
      .meta({ description: "Names that the call request provides, used as `{{name}}`." }),
    nodes: z.array(FlowNode).max(500),
    tools: z.array(FlowTool).max(50).optional().meta({ description: "Requests that conversations may send." }),
    settings: FlowSettings.optional(),
    comments: z.array(FlowComment).max(200).optional().meta({ description: "Notes on the canvas." }),
    groups: z.array(FlowGroup).max(100).optional().meta({ description: "Frames around nodes on the canvas." }),
  })
  .meta({
    id: "Flow",
    description: "What an agent says and asks, as a graph. A draft may be incomplete; publishing compiles it.",
  });
export type Flow = z.infer<typeof Flow>;

export const EMPTY_FLOW: Flow = {
  schemaVersion: FLOW_SCHEMA_VERSION,
  variables: [],
  nodes: [],
  settings: { retries: { max: 2 }, callback: { offer: true } },
};
