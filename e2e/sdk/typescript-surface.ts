import * as sdk from "@parley/sdk";

/** What the Python SDK prints about itself, see packed/print_surface.py. */
export interface Surface {
  readonly exports: readonly string[];
  readonly client: readonly string[];
  readonly asyncClient: readonly string[];
  readonly resources: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly asyncResources: Surface["resources"];
  readonly verifyWebhook: readonly string[];
  readonly errorFields: readonly string[];
}

// These tables do not compile when the TypeScript SDK gets an option that they do not know. `null`: Python has no AbortSignal;
// its methods that wait take `wait`, and asyncio cancels.
const REQUEST_OPTIONS: Readonly<Record<keyof sdk.RequestOptions, string | null>> = {
  signal: null,
  timeoutMs: "timeout",
  deadlineMs: "deadline",
  maxRetries: "max_retries",
  // Only of methods that the service carries out once per key.
  idempotencyKey: null,
  headers: "headers",
};
const WAIT_OPTIONS: Readonly<Record<Exclude<keyof sdk.WaitOptions, keyof sdk.RequestOptions>, string>> = {
  waitMs: "wait",
  until: "until",
};
const FOLLOW_OPTIONS: Readonly<Record<Exclude<keyof sdk.FollowOptions, keyof sdk.RequestOptions>, string>> = {
  after: "after",
};
const CLIENT_OPTIONS: Readonly<Record<keyof sdk.ParleyOptions, string>> = {
  baseUrl: "base_url",
  apiKey: "api_key",
  timeoutMs: "timeout",
  deadlineMs: "deadline",
  maxRetries: "max_retries",
  headers: "headers",
  fetch: "http_client",
};
const VERIFY_OPTIONS: Readonly<Record<keyof sdk.VerifyOptions, string>> = {
  toleranceSeconds: "tolerance_seconds",
  nowMs: "now",
};
/** Python has built-in errors of these names. */
const RENAMED: Readonly<Record<string, string>> = {
  ConnectionError: "ConnectionFailedError",
  PermissionError: "PermissionDeniedError",
  TimeoutError: "RequestTimeoutError",
  VERSION: "__version__",
  retryAfterSeconds: "retry_after",
};

const namesOf = (options: Readonly<Record<string, string | null>>): string[] =>
  Object.values(options).filter((name) => name !== null);

export const requestOptions = namesOf(REQUEST_OPTIONS);
export const clientOptions = namesOf(CLIENT_OPTIONS);
export const verifyOptions = namesOf(VERIFY_OPTIONS);
/** What methods of calls take beyond the options of every request. */
export const waitOptions: Readonly<Record<string, readonly string[]>> = {
  create_and_wait: namesOf(WAIT_OPTIONS),
  wait: namesOf(WAIT_OPTIONS),
  follow: [...namesOf(FOLLOW_OPTIONS), "wait"],
  follow_transcript: ["wait"],
};

/** The methods of each resource of the TypeScript SDK, with the names that Python gives them. */
export function listMethods(): Record<string, string[]> {
  const client = new sdk.Parley({ baseUrl: "http://127.0.0.1" });
  return Object.fromEntries(
    Object.entries(client).map(([name, resource]) => [toPython(name), methodsOf(resource).map(toPython).toSorted()]),
  );
}

/** What the package exports besides types. */
export function listExports(): string[] {
  return Object.keys(sdk).map((name) => RENAMED[name] ?? (/^[A-Z]/.test(name) ? name : toPython(name)));
}

/** The fields of an ApiError. */
export function listErrorFields(): string[] {
  const fields = Object.keys(new sdk.ApiError(400, null, "refused")).filter((name) => name !== "name");
  return [...fields, "message"].map((name) => RENAMED[name] ?? toPython(name)).toSorted();
}

/** `waitUntil` of calls is private; JavaScript does not know that. */
const PRIVATE = ["constructor", "waitUntil"];

function methodsOf(resource: object): string[] {
  const names: string[] = [];
  for (let each = Object.getPrototypeOf(resource); each !== Object.prototype; each = Object.getPrototypeOf(each))
    names.push(...Object.getOwnPropertyNames(each));
  return names.filter((name) => !PRIVATE.includes(name));
}

const toPython = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
