import { type OpenApiDocument, takeSchema } from "./openapi-schema.ts";

/** A JSON schema of agent files for editors, from the OpenAPI document of the service: it knows what that service accepts. */
export function agentSchema(openapi: OpenApiDocument): object {
  const { schema: flow, defs } = takeSchema(openapi, ["Flow", "FlowInput"]);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "An agent of Parley",
    type: "object",
    required: ["name", "flow"],
    additionalProperties: false,
    properties: {
      $schema: { type: "string", description: "In files of JSON: this schema." },
      id: { type: "string", description: "The agent. Left out in a file that creates one." },
      revision: { type: "integer", description: "The draft that this file was made from. Written by `parley agents`." },
      pulled: { type: "string", description: "Tells whether the file was changed since. Written by `parley agents`." },
      name: { type: "string", minLength: 1, maxLength: 120 },
      description: { type: "string", maxLength: 2000 },
      engine: { type: ["string", "null"], description: "`null`: the installation's default." },
      language: { type: "string", description: "A language tag such as en-US." },
      flow,
    },
    $defs: defs,
  };
}
