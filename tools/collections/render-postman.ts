import { createHash } from "node:crypto";
import { listRequests, type SavedRequest, VARIABLES } from "./list-requests.ts";

export const POSTMAN_PATH = "sdk/postman/parley.postman_collection.json";

/** The requests as a Postman collection (format 2.1), which Insomnia and others import as well. */
export function renderPostman(version: string): string {
  const collection = {
    info: {
      _postman_id: uuidOf("parley"),
      name: "Parley",
      description:
        "Set the variables `baseUrl` and `apiKey`. Requests that create something keep its id for the requests that follow.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
      version,
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    variable: VARIABLES.map(({ name, value }) => ({ key: name, value })),
    item: listRequests(version).map(({ name, description, requests }) => ({
      name,
      description,
      item: requests.map(renderRequest),
    })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function renderRequest(request: SavedRequest): object {
  const { id, name, method, description, path, query, headers, pathVariables, body, keepsIdIn } = request;
  return {
    id: uuidOf(id),
    name,
    request: {
      method,
      header: headers.map(({ name: key, value, ...more }) => ({ key, value, ...more })),
      ...(body === null ? {} : { body: { mode: "raw", raw: body, options: { raw: { language: "json" } } } }),
      url: {
        raw: `{{baseUrl}}${path}`,
        host: ["{{baseUrl}}"],
        path: path.split("/").slice(1),
        ...(query.length > 0
          ? {
              query: query.map(({ name: key, description: meaning, isRequired }) => ({
                key,
                value: "",
                description: meaning,
                disabled: !isRequired,
              })),
            }
          : {}),
        variable: pathVariables.map(({ name: key, value }) => ({ key, value })),
      },
      description,
    },
    ...(keepsIdIn === null ? {} : { event: [keepId(keepsIdIn)] }),
  };
}

function keepId(variable: string): object {
  const script = `if (pm.response.code === 200) pm.collectionVariables.set("${variable}", pm.response.json().data.id);`;
  return { listen: "test", script: { type: "text/javascript", exec: [script] } };
}

/** The same for the same name, so that the file changes only where the contract does. */
function uuidOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
