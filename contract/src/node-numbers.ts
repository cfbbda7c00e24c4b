import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Mode, Timestamp, wholeNumberText } from "./shared-fields.ts";

/** Numbers are of the latest calls, up to this many. */
export const NUMBERED_CALLS_MAX = 500;

const CountedCalls = z.enum(["own", "all"]).optional().meta({
  description: "`all` also counts calls of agents that use this one as a sub-flow. Default: `own`.",
});

export const UnmatchedAnswersQuery = z.strictObject({ calls: CountedCalls });

export const NodeNumbersQuery = z.strictObject({
  calls: CountedCalls,
  version: wholeNumberText(1, 1_000_000).optional().meta({ description: "Only calls with this version of the agent." }),
});

const NodeNumber = z
  .strictObject({
    nodeId: z.string(),
    visits: z.int().meta({ description: "How often calls came here. Asking again is not another visit." }),
    calls: z.int().meta({ description: "How many calls came here." }),
    hangUps: z.int().meta({ description: "Calls in which the callee hung up here." }),
    notUnderstood: z.int().meta({ description: "How often an answer was not understood here." }),
    medianMs: z.int().meta({ description: "The median time that calls spent here, in milliseconds." }),
  })
  .meta({ id: "NodeNumber" });
export type NodeNumber = z.infer<typeof NodeNumber>;

export const NodeNumbers = z
  .strictObject({
    mode: Mode,
    calls: z
      .int()
      .meta({ description: `The answered calls that were counted: the latest, at most ${NUMBERED_CALLS_MAX}.` }),
    nodes: z.array(NodeNumber).meta({
      description:
        "The nodes that calls came to. That of a sub-flow counts until the call leaves the sub-flow; the nodes inside, whose ids begin with its id and `__`, are listed as well.",
    }),
  })
  .meta({ id: "NodeNumbers", description: "What calls did at each node of an agent." });
export type NodeNumbers = z.infer<typeof NodeNumbers>;

export const UnmatchedAnswer = z
  .strictObject({
    text: z.string().meta({ description: "What a callee said, in the best available transcription." }),
    times: z.int().meta({ description: "How often, in the calls that were counted." }),
    callId: idSchema("call").meta({ description: "The latest call in which it was said." }),
    saidAt: Timestamp.meta({ description: "When that call was answered." }),
  })
  .meta({ id: "UnmatchedAnswer" });
export type UnmatchedAnswer = z.infer<typeof UnmatchedAnswer>;

export const UnmatchedAnswers = z
  .strictObject({ answers: z.array(UnmatchedAnswer).meta({ description: "Most frequent first, at most 50." }) })
  .meta({ id: "UnmatchedAnswers" });
export type UnmatchedAnswers = z.infer<typeof UnmatchedAnswers>;
