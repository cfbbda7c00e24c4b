import type { Route } from "@parley/contract/route";
import { ROUTES } from "@parley/contract/routes";

const TAKES_VALUE = new Set([
  ...["-H", "-d", "-X", "-o", "-b", "-c"],
  ...["--header", "--data", "--data-urlencode", "--request", "--output", "--cookie", "--cookie-jar"],
]);
const TAKES_NONE = new Set([
  "-s",
  "-N",
  "-G",
  "-f",
  "-S",
  "--silent",
  "--no-buffer",
  "--get",
  "--fail",
  "--show-error",
]);
/** Paths that are not in the contract. */
const PLAIN_PATH = /^\/(?:healthz|readyz|metrics|docs|llms\.txt|api\/v1\/openapi\.json)/;

interface CurlRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | null;
}

/** What the API would refuse about a request that a document sends with curl. `files` are those that it wrote before, null if only running it shows what they contain. */
export function checkCurl(words: readonly string[], files: ReadonlyMap<string, string | null>): string[] {
  const request = readCurl(words);
  if (typeof request === "string") return [request];
  if (PLAIN_PATH.test(request.path)) return [];
  const shown = `${request.method} ${request.path}`;
  const route = ROUTES.find(({ method, path }) => method === request.method && patternOf(path).test(request.path));
  if (route === undefined) return [`${shown} does not exist`];
  return [
    ...checkHeaders(route, request),
    ...describe("query", route.query.safeParse(request.query)),
    ...checkBody(route, request.body, files),
  ].map((problem) => `${shown}: ${problem}`);
}

function checkHeaders({ access, body, alsoProduces, producesJson }: Route, request: CurlRequest): string[] {
  const { headers } = request;
  const problems: string[] = [];
  if (access.by !== "anyone" && !headers.has("authorization") && !headers.has("cookie"))
    problems.push("has neither a key nor a cookie");
  if (access.by === "member" && !headers.has("cookie")) problems.push("needs a cookie");
  if (headers.has("cookie") && request.method !== "GET" && !headers.has("origin"))
    problems.push("needs the header Origin");
  if (body !== null && request.body !== null && headers.get("content-type") !== "application/json")
    problems.push("needs the header Content-Type: application/json");
  const accept = headers.get("accept");
  const types = [...alsoProduces, ...(producesJson ? ["application/json"] : [])];
  if (accept !== undefined && !types.includes(accept)) problems.push(`does not produce ${accept}`);
  return problems;
}

function checkBody(
  { body, bodyOptional }: Route,
  text: string | null,
  files: ReadonlyMap<string, string | null>,
): string[] {
  if (text === null) return body === null || bodyOptional ? [] : ["needs a body"];
  if (body === null) return ["takes no body"];
  // From a pipe: only running it shows what that is.
  if (text === "@-") return [];
  const content = text.startsWith("@") ? files.get(text.slice(1)) : text;
  if (content === null) return [];
  if (content === undefined) return [`${text} was not written before`];
  try {
    return describe("body", body.safeParse(JSON.parse(withValues(content))));
  } catch (error) {
    return [`the body is not JSON: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Puts values in the place of `"..."`, of which only the reader has the real one. */
function withValues(json: string): string {
  return json.replaceAll('"..."', '"a value of the reader"');
}

function describe(what: string, result: ReturnType<Route["query"]["safeParse"]>): string[] {
  if (result.success) return [];
  return result.error.issues.map(({ path, message }) => `${what} ${path.join(".")}: ${message}`);
}

function patternOf(path: string): RegExp {
  const pattern = path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`);
}

function readCurl(words: readonly string[]): CurlRequest | string {
  const options: [string, string][] = [];
  const urls: string[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) urls.push(word);
    else if (TAKES_VALUE.has(word)) {
      at += 1;
      options.push([word, words[at] ?? ""]);
    } else if (/^-\w{2,}$/.test(word) && [...word.slice(1)].every((letter) => TAKES_NONE.has(`-${letter}`))) {
      for (const letter of word.slice(1)) options.push([`-${letter}`, ""]);
    } else if (TAKES_NONE.has(word)) options.push([word, ""]);
    else return `curl ${word} is not known to this check`;
  }
  const [url, ...others] = urls;
  if (url === undefined || others.length > 0) return `curl with ${urls.length} addresses`;
  return toRequest(url, options);
}

function toRequest(url: string, options: readonly [string, string][]): CurlRequest {
  const all = (...names: string[]) => options.filter(([name]) => names.includes(name)).map(([, value]) => value);
  const [path = "", search = ""] = url.replace(/^(?:\$\w+|https?:\/\/[^/]+)/, "").split("?");
  const data = all("-d", "--data");
  const isGet = all("-G", "--get").length > 0;
  const params = new URLSearchParams(search);
  for (const pair of isGet ? [...data, ...all("--data-urlencode")] : []) {
    const [name = "", ...value] = pair.split("=");
    params.append(name, value.join("="));
  }
  const headers = new Map(
    all("-H", "--header").map((header): [string, string] => {
      const [name = "", ...value] = header.split(":");
      return [name.toLowerCase(), value.join(":").trim()];
    }),
  );
  if (all("-b", "--cookie").length > 0) headers.set("cookie", "from a file");
  const body = isGet ? null : (data[0] ?? null);
  const [method = body === null ? "GET" : "POST"] = all("-X", "--request");
  return { method, path, query: Object.fromEntries(params), headers, body };
}
