import type { INodeProperties } from "n8n-workflow";

export const agentFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["agent"] } },
    options: [
      { name: "Get Many", value: "getAll", action: "Get many agents", description: "Get agents, newest first" },
    ],
    default: "getAll",
  },
];

export const numberFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["number"] } },
    options: [
      {
        name: "Check",
        value: "check",
        action: "Check a number",
        description: "Check whether a number may be called now, its price and local time; nothing is dialed",
      },
    ],
    default: "check",
  },
  {
    displayName: "Phone Number",
    name: "phoneNumber",
    type: "string",
    default: "",
    required: true,
    placeholder: "+15550100001",
    displayOptions: { show: { resource: ["number"], operation: ["check"] } },
  },
];
