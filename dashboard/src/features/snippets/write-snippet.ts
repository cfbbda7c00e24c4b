/** A request to the API that a snippet shows. */
export interface SnippetRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Without one, the snippet reads it from the environment. */
  readonly apiKey?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

export const SNIPPET_LANGUAGES = ["curl", "node", "python", "fetch"] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

export const SNIPPET_LABELS: Readonly<Record<SnippetLanguage, string>> = {
  curl: "curl",
  node: "Node.js",
  python: "Python",
  fetch: "fetch",
};

/** The request as a program that can be run as it is. */
export function writeSnippet(language: SnippetLanguage, origin: string, request: SnippetRequest): string {
  return WRITERS[language](`${origin}${request.path}`, request);
}

const ENVIRONMENT = "PARLEY_API_KEY";

const WRITERS: Readonly<Record<SnippetLanguage, (url: string, request: SnippetRequest) => string>> = {
  curl(url, { method, apiKey, body }) {
    const lines = [
      `curl ${method === "GET" ? "" : `-X ${method} `}${url}`,
      `  -H "Authorization: Bearer ${apiKey ?? `$${ENVIRONMENT}`}"`,
      ...(body ? ['  -H "Content-Type: application/json"', `  -d ${quoteForShell(JSON.stringify(body))}`] : []),
    ];
    return lines.join(" \\\n");
  },
  node(url, { method, apiKey, body }) {
    const key = apiKey ? JSON.stringify(apiKey) : ["process", "env", ENVIRONMENT].join(".");
    return [
      `const reply = await fetch(${JSON.stringify(url)}, {`,
      ...fetchOptions(method, `\`Bearer \${${key}}\``, body),
      "});",
      "const { success, data, error } = await reply.json();",
      "if (!success) throw new Error(error.message);",
      "console.log(data);",
    ].join("\n");
  },
  python(url, { method, apiKey, body }) {
    const key = apiKey ? JSON.stringify(apiKey) : `os.environ["${ENVIRONMENT}"]`;
    return [
      `import json, ${apiKey ? "" : "os, "}urllib.request`,
      "",
      "request = urllib.request.Request(",
      `    ${JSON.stringify(url)},`,
      `    method="${method}",`,
      ...(body ? [`    data=json.dumps(${toPython(body)}).encode(),`] : []),
      `    headers={"Authorization": "Bearer " + ${key}${body ? ', "Content-Type": "application/json"' : ""}},`,
      ")",
      "with urllib.request.urlopen(request) as reply:",
      '    print(json.load(reply)["data"])',
    ].join("\n");
  },
  fetch(url, { method, apiKey, body }) {
    const key = JSON.stringify(`Bearer ${apiKey ?? "YOUR_API_KEY"}`);
    return [
      `fetch(${JSON.stringify(url)}, {`,
      ...fetchOptions(method, key, body),
      "})",
      "  .then((reply) => reply.json())",
      "  .then(({ data }) => console.log(data));",
    ].join("\n");
  },
};

function fetchOptions(method: string, authorization: string, body: SnippetRequest["body"]): string[] {
  const type = body ? ', "Content-Type": "application/json"' : "";
  return [
    `  method: "${method}",`,
    `  headers: { Authorization: ${authorization}${type} },`,
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body)}),`] : []),
  ];
}

/** A single quote ends a quoted word of the shell; it is written outside of one. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** JSON is Python but for three words, which may also occur within strings. */
function toPython(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(toPython).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${toPython(each)}`)
    .join(", ")}}`;
}
