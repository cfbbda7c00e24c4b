import { envJsonToBruV2, jsonToBruV2, jsonToCollectionBru } from "@usebruno/lang";
import { listRequests, type SavedRequest, VARIABLES } from "./list-requests.ts";

export const BRUNO_FOLDER = "sdk/bruno";

/** The requests as a collection of Bruno, a file each, by their path from the root. */
export function renderBruno(version: string): Record<string, string> {
  const settings = { version: "1", name: "Parley", type: "collection", ignore: ["node_modules", ".git"] };
  const variables = VARIABLES.map(({ name, value }) => ({ name, value, enabled: true, secret: name === "apiKey" }));
  const files: Record<string, string> = {
    [`${BRUNO_FOLDER}/bruno.json`]: `${JSON.stringify(settings, null, 2)}\n`,
    [`${BRUNO_FOLDER}/collection.bru`]: jsonToCollectionBru({
      auth: { mode: "bearer", bearer: { token: "{{apiKey}}" } },
    }),
    [`${BRUNO_FOLDER}/environments/Local.bru`]: envJsonToBruV2({ variables }),
  };
  for (const { name: folder, requests } of listRequests(version)) {
    for (const [at, request] of requests.entries()) {
      files[`${BRUNO_FOLDER}/${folder}/${request.id}.bru`] = renderRequest(request, at + 1);
    }
  }
  return files;
}

function renderRequest(request: SavedRequest, sequence: number): string {
  const { name, method, path, pathVariables, query, headers, body, keepsIdIn, description } = request;
  return jsonToBruV2({
    meta: { name, type: "http", seq: sequence },
    http: {
      method: method.toLowerCase(),
      url: `{{baseUrl}}${path}`,
      body: body === null ? "none" : "json",
      auth: "inherit",
    },
    params: [
      ...query.map((each) => ({ type: "query", name: each.name, value: "", enabled: each.isRequired })),
      ...pathVariables.map((each) => ({ type: "path", name: each.name, value: each.value, enabled: true })),
    ],
    headers: headers.map((each) => ({ name: each.name, value: each.value, enabled: true })),
    ...(body === null ? {} : { body: { json: body } }),
    ...(keepsIdIn === null
      ? {}
      : { script: { res: `if (res.status === 200) bru.setVar("${keepsIdIn}", res.body.data.id);` } }),
    docs: description,
  });
}
