import { z } from "zod";
import { Flow } from "./flow.ts";
import { TemplateScenario } from "./scenarios.ts";

/** An agent to begin with: `POST /api/v1/agents` takes its flow and its scenarios in one request. */
export const AgentTemplate = z
  .strictObject({
    id: z.string().meta({ example: "appointment_confirmation" }),
    name: z.string(),
    description: z.string(),
    language: z.string(),
    needsModel: z.boolean().meta({ description: "Whether it needs a language model to hold its conversations." }),
    flow: Flow,
    scenarios: z.array(TemplateScenario),
  })
  .meta({ id: "AgentTemplate" });
export type AgentTemplate = z.infer<typeof AgentTemplate>;
