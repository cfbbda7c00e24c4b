import { z } from "zod";
import { agentFields } from "./agents.ts";
import { Flow } from "./flow.ts";
import { NewScenario, SCENARIOS_PER_AGENT_MAX } from "./scenarios.ts";
import { Name } from "./shared-fields.ts";

const { description, engine, language } = agentFields;

export const NewAgent = z
  .strictObject({
    name: Name,
    description: description.default(""),
    engine: engine.nullable().default(null).meta({ description: "`null`: the installation's default engine." }),
    language: language.default("en-US"),
    flow: Flow.optional().meta({ description: "Default: an empty flow." }),
    scenarios: z.array(NewScenario).max(SCENARIOS_PER_AGENT_MAX).default([]).meta({
      description: "Created together with the agent: all of it, or nothing.",
    }),
  })
  .meta({ id: "NewAgent" });
export type NewAgent = z.infer<typeof NewAgent>;
