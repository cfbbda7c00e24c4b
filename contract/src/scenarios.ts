import { z } from "zod";
import { CalleeSteps, ToolReplies } from "./callee-steps.ts";
import { EndReason } from "./calls.ts";
import { FlowName } from "./flow-fields.ts";
import { idSchema } from "./ids.ts";
import { Name, PageQuery, Timestamp } from "./shared-fields.ts";
import { CollectedValue, CollectedValues, isOneFlow, ONE_FLOW_RULE, TryVariables, triedFlow } from "./try.ts";

const Words = z.string().trim().min(1).max(500);
const Value = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]);

/** An expectation that is checked at the end of a scenario. */
export const ScenarioExpectation = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("ended"),
      reason: z
        .union([EndReason, z.array(EndReason).min(1).max(10)])
        .meta({ description: "One reason, or a list of acceptable ones." }),
    }),
    z.strictObject({
      type: z.literal("not_ended").meta({ description: "The call has not ended after the last step." }),
    }),
    z.strictObject({ type: z.literal("reached"), nodeId: FlowName }),
    z.strictObject({ type: z.literal("not_reached"), nodeId: FlowName }),
    z.strictObject({
      type: z.literal("collected"),
      name: FlowName,
      equals: Value.optional().meta({ description: "Default: any value except `null`." }),
    }),
    z.strictObject({ type: z.literal("not_collected"), name: FlowName }),
    z.strictObject({
      type: z.literal("said"),
      contains: Words.meta({ description: "Words of the agent; only letters and digits are compared." }),
    }),
    z.strictObject({ type: z.literal("not_said"), contains: Words }),
    z.strictObject({ type: z.literal("suppressed") }),
    z.strictObject({ type: z.literal("not_suppressed") }),
    z.strictObject({ type: z.literal("transferred"), to: z.string().max(40).optional() }),
    z.strictObject({ type: z.literal("not_transferred") }),
    z.strictObject({ type: z.literal("tool_called"), name: FlowName }),
    z.strictObject({ type: z.literal("tool_not_called"), name: FlowName }),
  ])
  .meta({ id: "ScenarioExpectation" });
export type ScenarioExpectation = z.infer<typeof ScenarioExpectation>;

const written = {
  name: Name,
  steps: CalleeSteps.meta({ description: "What the callee does in its turns. The agent opens the conversation." }),
  variables: TryVariables,
  toolReplies: ToolReplies.meta({
    description: "Tool replies for runs on text. A tool without a reply fails.",
  }),
  expect: z.array(ScenarioExpectation).min(1).max(50),
};

export const NewScenario = z
  .strictObject({ ...written, variables: written.variables.default({}), toolReplies: written.toolReplies.default({}) })
  .meta({ id: "NewScenario" });
export type NewScenario = z.infer<typeof NewScenario>;

/** A scenario of a template. */
export const TemplateScenario = z.strictObject(written).meta({ id: "TemplateScenario" });

export const ScenarioChanges = z
  .strictObject(written)
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "ScenarioChanges" });
export type ScenarioChanges = z.infer<typeof ScenarioChanges>;

export const Scenario = z
  .strictObject({
    id: idSchema("scenario"),
    agentId: idSchema("agent"),
    ...written,
    madeFromCallId: idSchema("call").nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Scenario", description: "What a callee does, and what is expected." });
export type Scenario = z.infer<typeof Scenario>;

export const SCENARIOS_PER_AGENT_MAX = 200;
export const ScenarioQuery = z.strictObject(PageQuery);

export const ScenarioImport = z
  .strictObject({ scenarios: z.array(NewScenario).min(1).max(SCENARIOS_PER_AGENT_MAX) })
  .meta({ id: "ScenarioImport" });
export const ImportedScenarios = z.strictObject({ addedCount: z.int() }).meta({ id: "ImportedScenarios" });

export const ScenarioFromCall = z
  .strictObject({ name: Name.optional().meta({ description: "Default: the time of the call and how it ended." }) })
  .meta({ id: "ScenarioFromCall" });

export const RunScenarios = z
  .strictObject({
    on: z.enum(["text", "audio"]).meta({
      description: "`text` returns immediately. `audio` places simulated calls, which are free; poll the run.",
    }),
    ids: z.array(idSchema("scenario")).min(1).max(SCENARIOS_PER_AGENT_MAX).optional().meta({
      description: "Default: all scenarios of the agent.",
    }),
    ...triedFlow,
  })
  .refine(isOneFlow, ONE_FLOW_RULE)
  .meta({ id: "RunScenarios" });
export type RunScenarios = z.infer<typeof RunScenarios>;

/** What happened instead of what was expected. */
export const ScenarioActual = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("ended"), reason: EndReason }),
    z.strictObject({ type: z.literal("went_on") }),
    z.strictObject({
      type: z.literal("path"),
      nodeIds: z.array(z.string()).meta({ description: "The visited nodes, in order." }),
    }),
    z.strictObject({ type: z.literal("collected"), value: CollectedValue }),
    z.strictObject({ type: z.literal("never_saved") }),
    z.strictObject({
      type: z.literal("transferred"),
      to: z.string().nullable().meta({ description: "`null` if the number is not known." }),
    }),
    z.strictObject({ type: z.literal("happened") }),
    z.strictObject({ type: z.literal("did_not_happen") }),
  ])
  .meta({
    id: "ScenarioActual",
    description:
      "What happened instead of the expectation. `went_on`: the call did not end. `never_saved`: nothing in the flow saves the expected value. `happened` and `did_not_happen`: the opposite of the expectation.",
  });
export type ScenarioActual = z.infer<typeof ScenarioActual>;

/** Where a scenario failed. */
export const ScenarioFailure = z
  .strictObject({
    expectation: ScenarioExpectation.nullable().meta({
      description: "The first expectation that was not met; `null` if the scenario could not be completed.",
    }),
    message: z.string().meta({ description: "What was expected and what happened instead, in a sentence or two." }),
    step: z.int().nullable().meta({
      description: "The number of the callee's step, from 1, after which it failed; 0 is the agent's opening.",
    }),
    nodeId: z.string().nullable().meta({ description: "The current node at that time." }),
    said: z.string().nullable().meta({ description: "What the agent said at that time." }),
    actual: ScenarioActual.nullable().optional().meta({
      description:
        "What happened instead of `expectation`, for programs that word it themselves. Missing in results of releases that did not have it.",
    }),
    stepsLeft: z
      .int()
      .optional()
      .meta({ description: "How many steps of the callee were left when the call was over." }),
    stepsTotal: z.int().optional().meta({ description: "How many steps the callee has." }),
    faults: z.array(z.string()).optional().meta({ description: "What failed during the call." }),
  })
  .meta({ id: "ScenarioFailure" });
export type ScenarioFailure = z.infer<typeof ScenarioFailure>;

export const ScenarioLine = z
  .strictObject({
    role: z.enum(["callee", "agent"]),
    text: z.string(),
    step: z.int().meta({ description: "0 is the agent's opening; on audio, the turn." }),
    nodeId: z.string().nullable(),
  })
  .meta({ id: "ScenarioLine" });
export type ScenarioLine = z.infer<typeof ScenarioLine>;

export const ScenarioResult = z
  .strictObject({
    scenarioId: idSchema("scenario"),
    name: z.string(),
    status: z.enum(["running", "passed", "failed"]),
    failure: ScenarioFailure.nullable(),
    callId: idSchema("call").nullable().meta({ description: "The simulated call of a run on audio." }),
    lines: z.array(ScenarioLine).meta({ description: "What was said." }),
    path: z.array(z.string()).meta({ description: "The visited nodes, in order." }),
    collected: CollectedValues,
    endReason: EndReason.nullable(),
  })
  .meta({ id: "ScenarioResult" });
export type ScenarioResult = z.infer<typeof ScenarioResult>;

export const ScenarioRun = z
  .strictObject({
    id: idSchema("scenarioRun"),
    agentId: idSchema("agent"),
    on: z.enum(["text", "audio"]),
    status: z.enum(["running", "done"]),
    passed: z.int(),
    failed: z.int(),
    results: z.array(ScenarioResult),
    createdAt: Timestamp,
  })
  .meta({ id: "ScenarioRun" });
export type ScenarioRun = z.infer<typeof ScenarioRun>;
