import { nameOfRef, type Schema, type SdkApi, type SdkMethod } from "./read-api.ts";

const HEADER =
  '"""Generated from the OpenAPI document by `npm run sdk`. Do not edit."""\n\nfrom __future__ import annotations\n';

/** Words that cannot be names in Python. */
const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

/** The types of the Python SDK: dictionaries as the API sends them. */
export function renderPythonTypes({ schemas, methods }: SdkApi): string {
  const types = new PythonTypes();
  for (const [name, schema] of schemas) types.define(name, schema);
  for (const method of methods.filter(hasQuery)) types.define(queryName(method), querySchema(method));
  const names = [...types.names].toSorted();
  return `${HEADER}
from typing import Any, Dict, List, Literal, TypedDict, Union

from typing import NotRequired

${types.text()}
__all__ = [
${names.map((name) => `    "${name}",`).join("\n")}
]
`;
}

class PythonTypes {
  readonly names = new Set<string>();
  readonly #definitions: string[] = [];

  text(): string {
    return this.#definitions.join("\n");
  }

  define(name: string, schema: Schema): void {
    this.names.add(name);
    const isClass = schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0;
    if (isClass) this.#defineObject(name, schema);
    else this.#definitions.push(`${name} = ${this.#typeOf(schema, name, true)}\n`);
  }

  #defineObject(name: string, schema: Schema): void {
    const fields = Object.entries(schema.properties ?? {}).map(([key, property]) => {
      const type = this.#typeOf(property, `${name}${pascal(key)}`, true);
      return { key, type: schema.required?.includes(key) ? type : `NotRequired[${type}]` };
    });
    const doc = schema.description ? `    ${quoteDoc(schema.description)}\n\n` : "";
    const isPlain = fields.every(({ key }) => /^[A-Za-z_]\w*$/.test(key) && !KEYWORDS.has(key));
    this.#definitions.push(
      isPlain
        ? `class ${name}(TypedDict):\n${doc}${fields.map(({ key, type }) => `    ${key}: ${type}`).join("\n")}\n`
        : `${name} = TypedDict(\n    "${name}",\n    {\n${fields.map(({ key, type }) => `        "${key}": ${type},`).join("\n")}\n    },\n)\n`,
    );
  }

  /** `quoted`: types that are defined later are named in quotes. */
  #typeOf(schema: Schema, name: string, quoted: boolean): string {
    if (schema.$ref) return `"${nameOfRef(schema.$ref)}"`;
    if (schema.const !== undefined) return schema.const === null ? "None" : `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    const union = schema.anyOf ?? schema.oneOf;
    if (union) {
      const members = union.map((each, index) => this.#typeOf(each, memberName(name, each, index, union), quoted));
      return unionOf(members);
    }
    if (typeof schema.type === "object")
      return unionOf(schema.type.map((type) => this.#typeOf({ ...schema, type }, name, quoted)));
    switch (schema.type) {
      case "string":
        return "str";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "array":
        return `List[${this.#typeOf(schema.items ?? {}, `${name}Item`, quoted)}]`;
      case "object": {
        if (Object.keys(schema.properties ?? {}).length === 0) {
          const rest = schema.additionalProperties;
          return `Dict[str, ${typeof rest === "object" ? this.#typeOf(rest, `${name}Value`, quoted) : "Any"}]`;
        }
        this.names.add(name);
        this.#defineObject(name, schema);
        return `"${name}"`;
      }
      default:
        return "Any";
    }
  }
}

/** A member of a union is named after its `type`, or the first field that it must have. */
function memberName(name: string, member: Schema, index: number, union: readonly Schema[]): string {
  if (union.filter((each) => each.properties).length <= 1) return name;
  const type = member.properties?.["type"]?.const;
  if (typeof type === "string") return `${name}${pascal(type)}`;
  const [first] = member.required ?? [];
  return first ? `${name}${pascal(first)}` : `${name}${index + 1}`;
}

function unionOf(members: readonly string[]): string {
  const different = [...new Set(members)];
  return different.length === 1 ? (different[0] ?? "Any") : `Union[${different.join(", ")}]`;
}

/** The methods of the Python SDK, once for the synchronous client and once for the asynchronous one. */
export function renderPythonResources(api: SdkApi): string {
  const byResource = Map.groupBy(api.methods, ({ resource }) => resource);
  const classes = (isAsync: boolean) =>
    [...byResource].map(([resource, methods]) => {
      const http = isAsync ? "AsyncHttp" : "Http";
      return `class ${isAsync ? "Async" : ""}${pascal(resource)}Resource:
    def __init__(self, http: ${http}) -> None:
        self._http = http

${methods.map((method) => renderMethod(method, isAsync)).join("\n")}`;
    });
  return `${HEADER}
from typing import List, Mapping, Optional

import httpx

from . import types as t
from ._http import AsyncHttp, Http, part
from ._pages import AsyncPages, Pages

${[...classes(false), ...classes(true)].join("\n\n")}`;
}

const hasQuery = ({ query }: SdkMethod) => query.length > 0;
const queryName = ({ operationId }: SdkMethod) => `${pascal(operationId)}Query`;

function querySchema({ query }: SdkMethod): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function renderMethod(method: SdkMethod, isAsync: boolean): string {
  const { httpMethod, path, pathParams, body, reply } = method;
  const queryIsRequired = method.query.some(({ isRequired }) => isRequired);
  const bodyType = body ? typeName(body.schema) : "";
  const positional = [
    ...pathParams.map((param) => `${snake(param)}: ${param === "version" ? "int" : "str"}`),
    ...(body ? [body.isRequired ? `body: ${bodyType}` : `body: Optional[${bodyType}] = None`] : []),
    ...(hasQuery(method)
      ? [queryIsRequired ? `query: t.${queryName(method)}` : `query: Optional[t.${queryName(method)}] = None`]
      : []),
  ];
  const named = [
    ...(method.revision === "required" ? ["revision: int"] : []),
    ...(method.revision === "optional" ? ["revision: Optional[int] = None"] : []),
    ...(method.takesIdempotencyKey ? ["idempotency_key: Optional[str] = None"] : []),
    "timeout: Optional[float] = None",
    "deadline: Optional[float] = None",
    "max_retries: Optional[int] = None",
    "headers: Optional[Mapping[str, str]] = None",
  ];
  const url =
    pathParams.length === 0
      ? `"${path}"`
      : `f"${path.replaceAll(/\{(\w+)\}/g, (_, param: string) => `{part(${snake(param)})}`)}"`;
  const args = [
    `"${httpMethod}"`,
    url,
    ...(body
      ? [body.isRequired ? "body=body" : "body={} if body is None else body"]
      : method.sendsEmptyBody
        ? ["body={}"]
        : []),
    ...(hasQuery(method) ? ["query=query"] : []),
    ...(method.revision === "none" ? [] : ["revision=revision"]),
    ...(method.takesIdempotencyKey ? ["once=True", "idempotency_key=idempotency_key"] : []),
    ...(method.isRead ? ["repeatable=True"] : []),
    ...(method.operationId === "listenToCall" ? ["stream=True"] : []),
    "timeout=timeout",
    "deadline=deadline",
    "max_retries=max_retries",
    "headers=headers",
  ];
  const isPage = reply.kind === "page";
  const item = reply.kind === "bytes" ? "httpx.Response" : typeName(reply.schema);
  const returned = isPage ? `${isAsync ? "AsyncPages" : "Pages"}[${item}]` : item;
  const call = `self._http.${reply.kind}(${args.join(", ")})`;
  const awaits = isAsync && !isPage;
  return `    ${awaits ? "async " : ""}def ${snake(method.name)}(
        self,
${[...positional, "*", ...named].map((arg) => `        ${arg},`).join("\n")}
    ) -> ${returned}:
        ${quoteDoc(describe(method))}
        ${isPage ? "return " : "result: "}${isPage ? call : `${returned} = ${awaits ? "await " : ""}${call}\n        return result`}
`;
}

function typeName(schema: Schema): string {
  if (schema.$ref) return `t.${nameOfRef(schema.$ref)}`;
  if (schema.type === "array" && schema.items) return `List[${typeName(schema.items)}]`;
  throw new Error(`a reply or body without a name: ${JSON.stringify(schema).slice(0, 200)}`);
}

function describe({ summary, description }: SdkMethod): string {
  const [first = summary] = description.split("\n\n");
  const scope = /scope `([\w:]+)`/.exec(description)?.[1];
  return scope ? `${first} Scope: \`${scope}\`.` : first;
}

function quoteDoc(text: string): string {
  return `"""${text
    .replaceAll("\\", "\\\\")
    .replaceAll('"""', "'''")
    .replaceAll(/\s*\n\s*/g, " ")}${text.endsWith('"') ? " " : ""}"""`;
}

function literal(value: unknown): string {
  if (value === true) return "True";
  if (value === false) return "False";
  return value === null ? "None" : JSON.stringify(value);
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
