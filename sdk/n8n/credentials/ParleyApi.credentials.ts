import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from "n8n-workflow";

/** @public n8n loads it by the name of the file. */
export class ParleyApi implements ICredentialType {
  name = "parleyApi";
  displayName = "Parley API";
  icon = {
    light: "file:../nodes/Parley/parley.svg",
    dark: "file:../nodes/Parley/parley.dark.svg",
  } as const;
  documentationUrl = "https://parley.example/docs/recipes/n8n";
  properties: INodeProperties[] = [
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "",
      required: true,
      placeholder: "https://parley.example",
      description: "Where your Parley service is, without /api",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description: "From Settings > API keys of the dashboard. Calls of a test key are simulated and free.",
    },
  ];
  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } },
  };
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}', url: "/api/v1/access" },
  };
}
