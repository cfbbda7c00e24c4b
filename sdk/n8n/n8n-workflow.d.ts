/**
 * What the nodes use of n8n's `n8n-workflow`. Its licence does not allow to install it here, so that this file stands for it;
 * a long test compiles the nodes with the original.
 */
declare module "n8n-workflow" {
  import type { IncomingHttpHeaders } from "node:http";

  // biome-ignore lint/suspicious/noExplicitAny: as in the original, where any value may be the result of an expression.
  type Value = any;
  export type IDataObject = Record<string, Value>;
  export type JsonObject = Record<string, Value>;

  export interface INode {
    id: string;
    name: string;
  }

  export interface INodePropertyOptions {
    name: string;
    value: string | number | boolean;
    action?: string;
    description?: string;
  }

  export interface INodeProperties {
    displayName: string;
    name: string;
    type:
      | "boolean"
      | "collection"
      | "dateTime"
      | "fixedCollection"
      | "json"
      | "multiOptions"
      | "number"
      | "options"
      | "string";
    typeOptions?: {
      loadOptionsMethod?: string;
      minValue?: number;
      maxValue?: number;
      multipleValues?: boolean;
      password?: boolean;
    };
    default: Value;
    description?: string;
    displayOptions?: { show?: Record<string, Value[]> };
    options?: Array<
      INodePropertyOptions | INodeProperties | { name: string; displayName: string; values: INodeProperties[] }
    >;
    placeholder?: string;
    noDataExpression?: boolean;
    required?: boolean;
  }

  interface ThemedIcon {
    light: `file:${string}.svg`;
    dark: `file:${string}.svg`;
  }

  export interface ICredentialType {
    name: string;
    displayName: string;
    icon?: ThemedIcon;
    documentationUrl?: string;
    properties: INodeProperties[];
    authenticate?: IAuthenticateGeneric;
    test?: ICredentialTestRequest;
  }

  export interface IAuthenticateGeneric {
    type: "generic";
    properties: { headers?: Record<string, string> };
  }

  export interface ICredentialTestRequest {
    request: { baseURL?: string; url: string };
  }

  type ConnectionType = "main";
  export const NodeConnectionTypes: { readonly Main: ConnectionType };

  export interface INodeTypeDescription {
    displayName: string;
    name: string;
    icon?: ThemedIcon;
    group: Array<"transform" | "trigger">;
    version: number;
    subtitle?: string;
    description: string;
    defaults: { name: string };
    usableAsTool?: true;
    inputs: ConnectionType[];
    outputs: ConnectionType[];
    credentials?: Array<{ name: string; required?: boolean }>;
    webhooks?: Array<{ name: "default"; httpMethod: "POST"; responseMode: "onReceived"; path: string }>;
    properties: INodeProperties[];
  }

  export interface INodeType {
    description: INodeTypeDescription;
    execute?(this: IExecuteFunctions): Promise<INodeExecutionData[][]>;
    webhook?(this: IWebhookFunctions): Promise<IWebhookResponseData>;
    methods?: {
      loadOptions?: Record<string, (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>>;
    };
    webhookMethods?: {
      default?: Record<"checkExists" | "create" | "delete", (this: IHookFunctions) => Promise<boolean>>;
    };
  }

  export interface IBinaryData {
    mimeType: string;
    data: string;
  }

  export interface INodeExecutionData {
    json: IDataObject;
    binary?: Record<string, IBinaryData>;
    pairedItem?: { item: number };
  }

  export interface IHttpRequestOptions {
    url: string;
    method?: "GET" | "POST" | "DELETE";
    headers?: IDataObject;
    qs?: IDataObject;
    body?: Value;
    encoding?: "arraybuffer";
    returnFullResponse?: boolean;
    ignoreHttpStatusErrors?: boolean;
    disableFollowRedirect?: boolean;
    timeout?: number;
  }

  interface RequestHelpers {
    httpRequestWithAuthentication(
      this: IAllExecuteFunctions,
      credentialsType: string,
      requestOptions: IHttpRequestOptions,
    ): Promise<Value>;
  }

  interface FunctionsBase {
    getCredentials<T extends object = IDataObject>(type: string, itemIndex?: number): Promise<T>;
    getExecutionId(): string;
    getNode(): INode;
    getWorkflow(): { id?: string; name?: string };
    getWorkflowStaticData(type: string): IDataObject;
  }

  export interface ILoadOptionsFunctions extends FunctionsBase {
    helpers: RequestHelpers;
  }

  export interface IHookFunctions extends FunctionsBase {
    getNodeWebhookUrl(name: "default"): string | undefined;
    getNodeParameter(name: string, fallback?: Value): Value;
    helpers: RequestHelpers;
  }

  export interface IExecuteFunctions extends FunctionsBase {
    getInputData(): INodeExecutionData[];
    getNodeParameter(name: string, itemIndex: number, fallback?: Value): Value;
    continueOnFail(): boolean;
    evaluateExpression(expression: string, itemIndex: number): Value;
    getExecutionCancelSignal(): AbortSignal | undefined;
    helpers: RequestHelpers & {
      prepareBinaryData(data: Buffer, fileName?: string, mimeType?: string): Promise<IBinaryData>;
      returnJsonArray(data: IDataObject | IDataObject[]): INodeExecutionData[];
    };
  }

  export type IAllExecuteFunctions = ILoadOptionsFunctions | IHookFunctions | IExecuteFunctions;

  export interface IWebhookFunctions {
    getNodeParameter(name: string, fallback?: Value): Value;
    getHeaderData(): IncomingHttpHeaders;
    getRequestObject(): { rawBody: Buffer };
    getResponseObject(): { status(code: number): { json(body: unknown): unknown } };
    getWorkflowStaticData(type: string): IDataObject;
    helpers: { returnJsonArray(data: IDataObject | IDataObject[]): INodeExecutionData[] };
  }

  export interface IWebhookResponseData {
    workflowData?: INodeExecutionData[][];
    webhookResponse?: Value;
    noWebhookResponse?: boolean;
  }

  interface ErrorOptions {
    message?: string;
    description?: string;
    itemIndex?: number;
    httpCode?: string;
  }
  export class NodeApiError extends Error {
    httpCode: string | null;
    constructor(node: INode, errorResponse: JsonObject, options?: ErrorOptions);
  }
  export class NodeOperationError extends Error {
    constructor(node: INode, error: Error | string, options?: Omit<ErrorOptions, "httpCode">);
  }

  export function sleep(ms: number): Promise<void>;
}
