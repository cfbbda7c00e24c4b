import { z } from "zod";
import { Flow } from "./flow.ts";
import { TemplateScenario } from "./scenarios.ts";

/** A template for new agents: `POST /api/v1/agents` accepts its flow and scenarios in one request. */
export const AgentTemplate = z
  .strictObject({
    id: z.string().meta({ example: "appointment_confirmation" }),
    name: z.string(),
    description: z.string(),
    language: z.string(),
    needsModel: z.boolean().meta({ description: "Whether its conversations need a language model." }),
    flow: Flow,
    scenarios: z.array(TemplateScenario),
  })
  .meta({ id: "AgentTemplate" });
export type AgentTemplate = z.infer<typeof AgentTemplate>;
