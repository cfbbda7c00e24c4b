import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

export interface WorkflowNode {
  readonly name: string;
  readonly type: "parley" | "parleyTrigger";
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface Item {
  // biome-ignore lint/suspicious/noExplicitAny: what a node returned.
  readonly json: any;
  readonly binary?: Readonly<
    Record<string, { readonly mimeType: string; readonly fileName: string; readonly data: string }>
  >;
}

export interface Finished {
  /** What the last node returned. */
  readonly items: readonly Item[];
  readonly error: { readonly message: string; readonly description: string | null } | null;
}

export interface ActiveWorkflow {
  /** Where the trigger receives webhooks. */
  readonly url: string;
  /** What was answered to each request, and what the workflow then did. */
  readonly answers: readonly number[];
  readonly runs: readonly Finished[];
  deactivate(): Promise<void>;
}

/** n8n's own loader and execution engine, with the package of the nodes that is installed beside it. */
export class N8nHost {
  private readonly core;
  private readonly workflow;
  private readonly loader;
  private executions = 0;
  private readonly credentials: { readonly baseUrl: string; readonly apiKey: string };

  private constructor(folder: string, credentials: { readonly baseUrl: string; readonly apiKey: string }) {
    const require = createRequire(join(folder, "package.json"));
    require("reflect-metadata");
    this.core = require("n8n-core");
    this.workflow = require("n8n-workflow");
    this.loader = new this.core.PackageDirectoryLoader(join(folder, "node_modules/n8n-nodes-parley"));
    this.credentials = credentials;
  }

  static async load(folder: string, credentials: { readonly baseUrl: string; readonly apiKey: string }) {
    const host = new N8nHost(folder, credentials);
    await host.loader.loadAll();
    return host;
  }

  /** What n8n shows of the nodes and credentials. */
  get types(): {
    nodes: { name: string; usableAsTool?: boolean; codex?: object; iconUrl?: object }[];
    credentials: { name: string }[];
  } {
    return this.loader.types;
  }

  /** The options of a field that are loaded from the service. */
  async loadOptions(method: string): Promise<{ name: string; value: string }[]> {
    const workflow = this.createWorkflow([{ name: "Parley", type: "parley", parameters: {} }]);
    const node = workflow.getNode("Parley");
    const context = new this.core.LoadOptionsContext(workflow, node, this.additionalData(), "");
    return this.loader.getNode("parley").type.methods.loadOptions[method].call(context);
  }

  /** The status of the request by which n8n tests credentials when they are saved. */
  async testCredentials(credentials = this.credentials): Promise<number> {
    const { request } = this.loader.getCredential("parleyApi").type.test;
    const workflow = this.createWorkflow([{ name: "Parley", type: "parley", parameters: {} }]);
    const node = workflow.getNode("Parley");
    const keys = { $credentials: credentials };
    const base = workflow.expression.getSimpleParameterValue(node, request.baseURL, "internal", keys);
    const helper = this.credentialsHelper(credentials);
    const { headers } = await helper.authenticate({}, "parleyApi", { headers: {} }, workflow, node);
    return (await fetch(`${base}${request.url}`, { headers })).status;
  }

  /** Runs nodes one after the other, as if someone had pressed Execute. */
  async run(nodes: readonly WorkflowNode[]): Promise<Finished> {
    const workflow = this.createWorkflow(nodes);
    const execution = new this.core.WorkflowExecute(this.additionalData(), "manual");
    const run = await execution.run({ workflow, startNode: workflow.getNode(nodes[0]?.name) });
    return this.finished(run, nodes);
  }

  /** Activates a workflow whose first node is a trigger. */
  async activate(nodes: readonly WorkflowNode[]): Promise<ActiveWorkflow> {
    const answers: number[] = [];
    const runs: Finished[] = [];
    const server = createServer((request, response) => {
      response.on("finish", () => answers.push(response.statusCode));
      this.receive(request, response, { workflow, nodes, data: additionalData }).then(
        (run) => run && runs.push(run),
        (error) => response.writeHead(500).end(String(error)),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const workflow = this.createWorkflow(nodes);
    const additionalData = { ...this.additionalData(), webhookBaseUrl: base };
    const node = workflow.getNode(nodes[0]?.name);
    const context = new this.core.HookContext(workflow, node, additionalData, "trigger", "activate");
    const { webhookMethods } = this.loader.getNode(nodes[0]?.type).type;
    const hook = (method: string) => webhookMethods.default[method].call(context) as Promise<boolean>;
    if (!(await hook("checkExists"))) await hook("create");
    if (!(await hook("checkExists"))) throw new Error("the subscription is not there after it was created");
    return {
      url: context.getNodeWebhookUrl("default"),
      answers,
      runs,
      async deactivate() {
        await hook("delete");
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  /** As n8n's webhook server does: the node decides, and its data starts the workflow. */
  private async receive(
    request: IncomingMessage,
    response: ServerResponse,
    { workflow, nodes, data }: ReturnType<typeof Object> & { nodes: readonly WorkflowNode[] },
  ): Promise<Finished | null> {
    const rawBody = await buffer(request);
    const node = workflow.getNode(nodes[0]?.name);
    const express = {
      status: (code: number) => ({
        json: (body: unknown) => response.writeHead(code).end(JSON.stringify(body)),
      }),
    };
    const additionalData = {
      ...data,
      httpRequest: { headers: request.headers, rawBody, body: JSON.parse(rawBody.toString()), params: {}, query: {} },
      httpResponse: express,
    };
    const context = new this.core.WebhookContext(workflow, node, additionalData, "webhook", {}, [], null);
    const result = await this.loader.getNode(nodes[0]?.type).type.webhook.call(context);
    if (result.noWebhookResponse) return null;
    response.writeHead(200).end(JSON.stringify(result.webhookResponse ?? {}));
    if (!result.workflowData) return null;
    const executionData = {
      nodeExecutionStack: [{ node, data: { main: result.workflowData }, source: null }],
    };
    const started = this.workflow.createRunExecutionData({ executionData });
    const execution = new this.core.WorkflowExecute(this.additionalData(), "webhook", started);
    return this.finished(await execution.processRunExecutionData(workflow), nodes);
  }

  private createWorkflow(nodes: readonly WorkflowNode[]) {
    const { loader, workflow: api } = this;
    const typeOf = (name: string) => loader.getNode(name.replace("n8n-nodes-parley.", "")).type;
    return new api.Workflow({
      id: "workflow-1",
      name: "Made by a test",
      active: false,
      nodes: nodes.map(({ name, type, parameters }, index) => ({
        id: `node-${index}`,
        name,
        type: `n8n-nodes-parley.${type}`,
        typeVersion: 1,
        position: [index * 200, 0],
        parameters,
        credentials: { parleyApi: { id: "1", name: "Parley" } },
        ...(type === "parleyTrigger" ? { webhookId: "11111111-2222-3333-4444-555555555555" } : {}),
      })),
      connections: Object.fromEntries(
        nodes
          .slice(1)
          .map(({ name }, index) => [nodes[index]?.name, { main: [[{ node: name, type: "main", index: 0 }]] }]),
      ),
      nodeTypes: {
        getByName: typeOf,
        getByNameAndVersion: (name: string, version: number) =>
          api.NodeHelpers.getVersionedNodeType(typeOf(name), version),
        getKnownTypes: () => loader.known.nodes,
      },
      settings: { executionOrder: "v1" },
    });
  }

  private additionalData() {
    this.executions += 1;
    const executionId = `execution-${this.executions}`;
    return {
      executionId,
      credentialsHelper: this.credentialsHelper(),
      hooks: new this.core.ExecutionLifecycleHooks("manual", executionId, {}),
      currentNodeExecutionIndex: 0,
      variables: {},
      webhookBaseUrl: "http://127.0.0.1:1/",
      webhookTestBaseUrl: "http://127.0.0.1:1/",
      webhookWaitingBaseUrl: "http://127.0.0.1:1/waiting",
      formWaitingBaseUrl: "http://127.0.0.1:1/form-waiting",
      restApiUrl: "http://127.0.0.1:1/rest",
      instanceBaseUrl: "http://127.0.0.1:1/",
    };
  }

  /** Applies what the type of the credentials says, as n8n does with those that it keeps. */
  private credentialsHelper(credentials = this.credentials) {
    const { authenticate } = this.loader.getCredential("parleyApi").type;
    return {
      getParentTypes: () => [],
      isCredentialUsableByNode: () => true,
      preAuthentication: async () => undefined,
      getDecrypted: async () => credentials,
      getCredentialsProperties: () => [],
      // biome-ignore lint/suspicious/noExplicitAny: objects of n8n.
      async authenticate(_: object, __: string, options: any, workflow: any, node: any) {
        const headers = Object.entries(authenticate.properties.headers).map(([name, value]) => [
          name,
          workflow.expression.getSimpleParameterValue(node, value, "internal", { $credentials: credentials }),
        ]);
        return { ...options, headers: { ...options.headers, ...Object.fromEntries(headers) } };
      },
    };
  }

  // biome-ignore lint/suspicious/noExplicitAny: the record of a run of n8n.
  private finished(run: any, nodes: readonly WorkflowNode[]): Finished {
    const { error = null, runData } = run.data.resultData;
    const last = runData[nodes.at(-1)?.name ?? ""]?.at(-1);
    return {
      items: last?.data?.main?.[0] ?? [],
      error: error && { message: error.message, description: error.description ?? null },
    };
  }
}
