/** A JSON schema as the OpenAPI document has it; only the keywords that types depend on. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly description?: string;
}

/** One method of an SDK. */
export interface SdkMethod {
  readonly operationId: string;
  readonly resource: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly httpMethod: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly pathParams: readonly string[];
  readonly query: readonly QueryParam[];
  /** Null if there is none, or only an empty object. */
  readonly body: { readonly schema: Schema; readonly isRequired: boolean } | null;
  /** Whether a request without a body still has to send an empty object. */
  readonly sendsEmptyBody: boolean;
  readonly reply: SdkReply;
  /** The service honours an Idempotency-Key. */
  readonly takesIdempotencyKey: boolean;
  /** Changes nothing, although it is a POST: it may be sent again when its reply was lost. */
  readonly isRead: boolean;
  /** The revision of a draft, sent as If-Match. */
  readonly revision: "required" | "optional" | "none";
}

type SdkReply =
  | { readonly kind: "data"; readonly schema: Schema }
  | { readonly kind: "page"; readonly schema: Schema }
  /** The bytes of another media type. */
  | { readonly kind: "bytes"; readonly mediaType: string };

interface QueryParam {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

export interface SdkApi {
  readonly methods: readonly SdkMethod[];
  /** The schemas that methods and webhooks use, by name, in alphabetical order. */
  readonly schemas: ReadonlyMap<string, Schema>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly description?: string;
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Content } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Names that the rule below does not give. */
const NAMES: Readonly<Record<string, readonly [resource: string, name: string]>> = {
  exportCalls: ["calls", "exportCsv"],
  createScenarioFromCall: ["calls", "createScenario"],
  // `import` and `try` are words of the languages.
  importSuppressions: ["suppressions", "addMany"],
  tryAgent: ["agents", "tryOut"],
  listenToCall: ["calls", "listen"],
  getSharedCall: ["calls", "getShared"],
};

/** Streams and sockets, which the SDKs have by hand. */
const BY_HAND = new Set(["followCalls", "tryAgentByVoice"]);

/** For those who have a link instead of a key. */
const BY_LINK = new Set(["getSharedCall"]);

/** Parameters that select another media type; the SDKs have a method of its own for that. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = { getTranscript: ["format"] };

const READS = new Set(["checkCall", "checkAgent", "createRecordingLink", "tryAgent", "previewVoice"]);

/** What an API key or a link may do, as methods of resources, and the types they need. */
export function readApi(document: OpenApiDocument): SdkApi {
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId, security }]) => {
        const isOffered = security?.some((way) => "apiKey" in way) || BY_LINK.has(operationId);
        return isOffered && !BY_HAND.has(operationId);
      })
      .map(([httpMethod, operation]) => readMethod(path, httpMethod, operation)),
  );
  for (const { resource, name } of methods) {
    if (methods.filter((other) => other.resource === resource && other.name === name).length > 1)
      throw new Error(`two methods are called ${resource}.${name}; name one of them in NAMES`);
  }
  return { methods, schemas: reachableSchemas(document, methods) };
}

function readMethod(path: string, httpMethod: string, operation: OpenApiOperation): SdkMethod {
  const [resource, name] = NAMES[operation.operationId] ?? nameByRule(path, operation.operationId);
  const parameters = operation.parameters ?? [];
  const header = (wanted: string) => parameters.find((each) => each.in === "header" && each.name === wanted);
  const body = operation.requestBody?.content["application/json"]?.schema;
  const isEmptyBody = body?.type === "object" && Object.keys(body.properties ?? {}).length === 0;
  const revision = header("If-Match");
  return {
    operationId: operation.operationId,
    resource,
    name,
    summary: operation.summary,
    description: operation.description,
    httpMethod: httpMethod.toUpperCase() as SdkMethod["httpMethod"],
    path,
    pathParams: [...path.matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => param),
    query: parameters
      .filter((each) => each.in === "query" && !LEFT_OUT[operation.operationId]?.includes(each.name))
      .map(({ name: param, schema, required, description }) => ({
        name: param,
        schema,
        isRequired: required ?? false,
        description: description ?? schema.description,
      })),
    body: body && !isEmptyBody ? { schema: body, isRequired: operation.requestBody?.required ?? false } : null,
    sendsEmptyBody: isEmptyBody && (operation.requestBody?.required ?? false),
    reply: readReply(operation),
    takesIdempotencyKey: header("Idempotency-Key") !== undefined,
    isRead: READS.has(operation.operationId),
    revision: revision === undefined ? "none" : revision.required ? "required" : "optional",
  };
}

function readReply({ operationId, responses }: OpenApiOperation): SdkReply {
  const content = responses["200"]?.content ?? {};
  const json = content["application/json"]?.schema.properties;
  if (json?.["data"]) {
    const { data, nextCursor } = json;
    return nextCursor && data.items ? { kind: "page", schema: data.items } : { kind: "data", schema: data };
  }
  const [mediaType] = Object.keys(content);
  if (mediaType === undefined) throw new Error(`${operationId} has no reply`);
  return { kind: "bytes", mediaType };
}

/** The resource is the first segment of the path; the method is the operation's id without that noun. */
function nameByRule(path: string, operationId: string): [resource: string, name: string] {
  const segment = path.split("/")[3] ?? "";
  const resource = segment.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const noun = resource.charAt(0).toUpperCase() + resource.slice(1);
  const singular = noun.replace(/ies$/, "y").replace(/s$/, "");
  const name = operationId.replace(new RegExp(`${noun}|${singular}`), "");
  return [resource, name === "" ? operationId : name];
}

function reachableSchemas(document: OpenApiDocument, methods: readonly SdkMethod[]): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    else if (typeof value === "object" && value !== null) {
      for (const [key, each] of Object.entries(value)) {
        if (key === "$ref" && typeof each === "string") add(each);
        else visit(each);
      }
    }
  };
  const add = (ref: string) => {
    const name = nameOfRef(ref);
    const schema = document.components.schemas[name];
    if (schema === undefined) throw new Error(`${ref} is not in the document`);
    if (found.has(name)) return;
    found.set(name, schema);
    visit(schema);
  };
  for (const { body, reply, query } of methods) visit([body?.schema, "schema" in reply ? reply.schema : null, query]);
  for (const webhook of Object.values(document.webhooks)) visit(webhook.post.requestBody);
  add("#/components/schemas/ErrorReply");
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function nameOfRef(ref: string): string {
  return ref.replace("#/components/schemas/", "");
}
