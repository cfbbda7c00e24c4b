import { nameOfRef, type Schema, type SdkApi, type SdkMethod } from "./read-api.ts";

const HEADER = "// Generated from the OpenAPI document by `npm run sdk`. Do not edit.\n";

/** The types of the TypeScript SDK. */
export function renderTypes({ schemas }: SdkApi): string {
  const types = [...schemas].map(
    ([name, schema]) => `${comment(schema.description, "")}export type ${name} = ${typeOf(schema, "")};\n`,
  );
  return `${HEADER}\n${types.join("\n")}`;
}

/** The resources of the TypeScript SDK, one class each. */
export function renderResources({ methods, schemas }: SdkApi): string {
  const byResource = Map.groupBy(methods, ({ resource }) => resource);
  const classes = [...byResource].map(([resource, own]) => {
    const queries = own.filter(hasQuery).map(renderQuery).join("\n");
    return `${queries}${queries ? "\n" : ""}export class ${classOf(resource)} {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

${own.map(renderMethod).join("\n")}}
`;
  });
  const text = classes.join("\n");
  const used = [...schemas.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(withoutComments(text)));
  return `${HEADER}
import { type HttpClient, part } from "../http-client.ts";
import type { PagePromise } from "../page.ts";
import type { RequestOptions, RevisionOptions } from "../request.ts";
import type {
${used.map((name) => `  ${name},`).join("\n")}
} from "./types.ts";

${text}`;
}

function classOf(resource: string): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Resource`;
}

const hasQuery = ({ query }: SdkMethod) => query.length > 0;

function queryName({ operationId }: SdkMethod): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
}

function renderQuery(method: SdkMethod): string {
  const fields = method.query.map(
    ({ name, schema, isRequired, description }) =>
      `${comment(description, "  ")}  ${name}${isRequired ? "" : "?"}: ${typeOf(schema, "  ")}${isRequired ? "" : " | undefined"};`,
  );
  return `export interface ${queryName(method)} {\n${fields.join("\n")}\n}\n`;
}

function renderMethod(method: SdkMethod): string {
  const { name, httpMethod, path, pathParams, body, reply, revision } = method;
  const url =
    pathParams.length === 0
      ? JSON.stringify(path)
      : `\`${path.replaceAll(/\{(\w+)\}/g, (_, param) => `\${part(${param})}`)}\``;
  const withQuery = hasQuery(method);
  const queryIsRequired = method.query.some(({ isRequired }) => isRequired);
  const options =
    revision === "required"
      ? "options: RevisionOptions"
      : `options?: ${revision === "optional" ? "Partial<RevisionOptions>" : "RequestOptions"}`;
  const args = [
    ...pathParams.map((param) => `${param}: ${param === "version" ? "number" : "string"}`),
    ...(body ? [`body: ${typeOf(body.schema, "  ")}${body.isRequired ? "" : " = {}"}`] : []),
    ...(withQuery ? [`query: ${queryName(method)}${queryIsRequired ? "" : " = {}"}`] : []),
    options,
  ];
  const plan = [
    ...(body ? ["body"] : method.sendsEmptyBody ? ["body: {}"] : []),
    ...(withQuery ? ["query"] : []),
    ...(method.takesIdempotencyKey ? ["once: true"] : []),
    ...(method.isRead ? ["repeatable: true"] : []),
  ];
  const call = `this.http.${reply.kind}("${httpMethod}", ${url}, { ${[...plan, "options"].join(", ")} })`;
  const returned =
    reply.kind === "bytes"
      ? "Promise<Response>"
      : reply.kind === "page"
        ? `PagePromise<${typeOf(reply.schema, "  ")}>`
        : `Promise<${typeOf(reply.schema, "  ")}>`;
  return `${comment(describe(method), "  ")}  ${name}(${args.join(", ")}): ${returned} {\n    return ${call};\n  }\n`;
}

function describe({ summary, description }: SdkMethod): string {
  const [first = summary] = description.split("\n\n");
  const scope = /scope `([\w:]+)`/.exec(description)?.[1];
  return scope ? `${first} Scope: \`${scope}\`.` : first;
}

/** A schema as a TypeScript type. */
function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return nameOfRef(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return [...new Set(union.map((each) => typeOf(each, indent)))].join(" | ");
  if (typeof schema.type === "object")
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array": {
      const item = typeOf(schema.items ?? {}, indent);
      return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
    }
    case "object":
      return objectType(schema, indent);
    default:
      return "unknown";
  }
}

function objectType(schema: Schema, indent: string): string {
  const properties = Object.entries(schema.properties ?? {});
  const rest = schema.additionalProperties;
  if (properties.length === 0) {
    if (typeof rest === "object") return `Record<string, ${typeOf(rest, indent)}>`;
    return rest === false ? "Record<string, never>" : "Record<string, unknown>";
  }
  const inner = `${indent}  `;
  const fields = properties.map(([name, property]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(property, inner);
    return `${comment(property.description, inner)}${inner}${key}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"};`;
  });
  return `{\n${fields.join("\n")}\n${indent}}`;
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll(/\s*\n\s*/g, " ")} */\n`;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*\*.*?\*\//gs, "");
}
