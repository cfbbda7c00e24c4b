import type { IAllExecuteFunctions, IDataObject, IHttpRequestOptions, JsonObject } from "n8n-workflow";
import { NodeApiError, sleep } from "n8n-workflow";
import { describeRefusal } from "./refusal.ts";

const CREDENTIALS = "parleyApi";
const TIMEOUT_MS = 60_000;
/** Before each further attempt. */
const RETRIES_MS = [500, 1_000, 2_000];

export interface ParleyRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/api/v1`. */
  readonly path: string;
  readonly query?: IDataObject;
  readonly body?: IDataObject;
  readonly headers?: IDataObject;
  readonly itemIndex?: number;
}

interface FullResponse<Body> {
  readonly statusCode: number;
  readonly body: Body;
}

/** Sends a request with the credentials of the node and returns the reply. */
// biome-ignore lint/suspicious/noExplicitAny: the reply of any route.
export function requestJson(context: IAllExecuteFunctions, request: ParleyRequest): Promise<any> {
  return repeat(request, async () => {
    const { statusCode, body } = await send<IDataObject>(context, request, {});
    if (statusCode >= 300) throw refusalOf(context, request, statusCode, body);
    if (typeof body !== "object" || body === null)
      throw refusalOf(context, request, statusCode, "The reply is not from Parley; check the base URL.");
    return body;
  });
}

/** Downloads a file. */
export function requestBytes(context: IAllExecuteFunctions, request: ParleyRequest): Promise<Buffer> {
  return repeat(request, async () => {
    const { statusCode, body } = await send<ArrayBuffer>(context, request, { encoding: "arraybuffer" });
    const bytes = Buffer.from(body);
    if (statusCode >= 300) throw refusalOf(context, request, statusCode, bytes.toString("utf8"));
    return bytes;
  });
}

/** Whether something was asked for that may have been removed meanwhile. */
export function isMissing(error: unknown): boolean {
  return error instanceof NodeApiError && error.httpCode === "404";
}

/** Whether the same request may succeed later: there was no response, too many requests, or a fault of the service. */
export function isTemporary(error: unknown): boolean {
  return error instanceof NodeApiError && !/^(?!429)[34]/.test(error.httpCode ?? "");
}

/** Repeats a request whose reply was lost, if carrying it out twice is the same as once. */
async function repeat<Reply>({ method, headers }: ParleyRequest, attempt: () => Promise<Reply>): Promise<Reply> {
  const isRepeatable = method === "GET" || headers?.["Idempotency-Key"] !== undefined;
  for (const waitMs of isRepeatable ? RETRIES_MS : []) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await sleep(waitMs);
    }
  }
  return attempt();
}

async function send<Body>(
  context: IAllExecuteFunctions,
  { method, path, query, body, headers, itemIndex }: ParleyRequest,
  more: Partial<IHttpRequestOptions>,
): Promise<FullResponse<Body>> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>(CREDENTIALS, itemIndex);
  const options: IHttpRequestOptions = {
    method,
    url: `${baseUrl.replace(/\/+$/, "")}/api/v1${path}`,
    headers: { accept: "application/json, */*", ...headers },
    ...(query ? { qs: query } : {}),
    ...(body ? { body } : {}),
    timeout: TIMEOUT_MS,
    // A redirected POST would become a GET, and its reply would look like success.
    disableFollowRedirect: true,
    returnFullResponse: true,
    // n8n would replace the reasons of the service by a general text.
    ignoreHttpStatusErrors: true,
    ...more,
  };
  try {
    return (await context.helpers.httpRequestWithAuthentication.call(
      context,
      CREDENTIALS,
      options,
    )) as FullResponse<Body>;
  } catch (error) {
    throw new NodeApiError(context.getNode(), error as JsonObject, itemIndex === undefined ? {} : { itemIndex });
  }
}

function refusalOf(
  context: IAllExecuteFunctions,
  { itemIndex }: ParleyRequest,
  statusCode: number,
  body: unknown,
): NodeApiError {
  const { message, description, reply } = describeRefusal(statusCode, body);
  return new NodeApiError(context.getNode(), reply as JsonObject, {
    message,
    description,
    httpCode: String(statusCode),
    ...(itemIndex === undefined ? {} : { itemIndex }),
  });
}
