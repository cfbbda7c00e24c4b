import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../harness/service-process.ts";

interface PostmanItem {
  readonly name: string;
  readonly item?: readonly PostmanItem[];
  readonly request?: {
    readonly method: string;
    readonly url: {
      readonly path: readonly string[];
      readonly query?: readonly { readonly key: string; readonly value: string; readonly disabled?: boolean }[];
      readonly variable?: readonly { readonly key: string; readonly value: string }[];
    };
  };
}

export interface ReadRequest {
  readonly name: string;
  /** As in the OpenAPI document, with `{name}` for what differs. */
  readonly template: string;
  /** With the values of the variables. */
  readonly path: string;
}

/** Every GET request of the Postman collection, as Postman sends it with these variables. */
export function listReadRequests(variables: Readonly<Record<string, string>>): ReadRequest[] {
  const file = join(REPOSITORY, "sdk/postman/parley.postman_collection.json");
  const { item } = JSON.parse(readFileSync(file, "utf8")) as { readonly item: readonly PostmanItem[] };
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name] ?? "");
  const all = (items: readonly PostmanItem[]): PostmanItem[] =>
    items.flatMap((each) => (each.item ? all(each.item) : [each]));
  return all(item).flatMap(({ name, request }) => {
    if (request?.method !== "GET") return [];
    const { path, query = [], variable = [] } = request.url;
    const readVariable = (key: string) => fill(variable.find((each) => each.key === key)?.value ?? "") || "unknown";
    const sent = path.map((part) => (part.startsWith(":") ? encodeURIComponent(readVariable(part.slice(1))) : part));
    const search = new URLSearchParams(
      query.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, fill(value)]),
    ).toString();
    return {
      name,
      template: `/${path.map((part) => (part.startsWith(":") ? `{${part.slice(1)}}` : part)).join("/")}`,
      path: `/${sent.join("/")}${search === "" ? "" : `?${search}`}`,
    };
  });
}
