import type {
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodeExecutionData,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from "n8n-workflow";
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from "n8n-workflow";
import { OPERATIONS } from "../../src/operations.ts";
import { listAll } from "../../src/pages.ts";
import { callFields } from "./call-fields.ts";
import { agentFields, numberFields } from "./other-fields.ts";

/** @public n8n loads it by the name of the file. */
export class Parley implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Parley",
    name: "parley",
    icon: { light: "file:parley.svg", dark: "file:parley.dark.svg" },
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Place phone calls by AI voice agents and read what came of them",
    defaults: { name: "Parley" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "parleyApi", required: true }],
    properties: [
      {
        displayName: "Resource",
        name: "resource",
        type: "options",
        noDataExpression: true,
        options: [
          { name: "Agent", value: "agent" },
          { name: "Call", value: "call" },
          { name: "Number", value: "number" },
        ],
        default: "call",
      },
      ...callFields,
      ...agentFields,
      ...numberFields,
    ],
  };

  methods = {
    loadOptions: {
      async getAgents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const agents = await listAll(this, { method: "GET", path: "/agents" }, Number.POSITIVE_INFINITY);
        return agents.map(({ id, name }) => ({ name: String(name), value: String(id) }));
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (const [itemIndex] of this.getInputData().entries()) {
      try {
        const resource = this.getNodeParameter("resource", itemIndex) as string;
        const operation = this.getNodeParameter("operation", itemIndex) as string;
        const run = OPERATIONS[`${resource}.${operation}`];
        if (!run)
          throw new NodeOperationError(this.getNode(), `${resource} has no operation ${operation}`, { itemIndex });
        for (const result of await run(this, itemIndex)) results.push({ ...result, pairedItem: { item: itemIndex } });
      } catch (error) {
        if (this.continueOnFail()) {
          results.push({ json: { error: (error as Error).message }, pairedItem: { item: itemIndex } });
          continue;
        }
        if (error instanceof NodeApiError) throw new NodeApiError(this.getNode(), error as unknown as JsonObject);
        throw new NodeOperationError(this.getNode(), error as Error, { itemIndex });
      }
    }
    return [results];
  }
}
