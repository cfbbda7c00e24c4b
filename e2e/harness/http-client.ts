import { Agent, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";

/** A request sent exactly as written: the path is not normalized, and only Host and the length are added. */
export interface HttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as JSON, with its content type unless the headers name another. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly bytes?: string | Buffer;
  /** Without Content-Length. */
  readonly chunked?: boolean;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape, also wrong ones.
  readonly body: any;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request and reads the whole reply. Only the beginning of an event stream, which has no end, is read. */
export async function send(
  base: string,
  { method, path, headers, json, bytes, chunked }: HttpRequest,
): Promise<HttpReply> {
  const { hostname, port } = new URL(base);
  const body = json === undefined ? bytes : JSON.stringify(json);
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request({
      agent,
      hostname,
      port,
      path,
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...(body === undefined || chunked ? {} : { "content-length": Buffer.byteLength(body) }),
        ...headers,
      },
    });
    sending.once("response", resolve);
    sending.once("error", reject);
    sending.end(body);
  });
  const type = message.headers["content-type"] ?? "";
  const text = await readBody(message, type);
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    text,
    body: type.startsWith("application/json") && text !== "" ? JSON.parse(text) : null,
  };
}

const BUSY_TIMES_MAX = 5;
const BUSY_WAIT_MS = 2_000;

/**
 * The same, but waits as a client should: when there were too many requests from one address, since a test is faster
 * than people, and some times when the machine was too busy to answer.
 */
export async function sendPatiently(base: string, request: HttpRequest): Promise<HttpReply> {
  for (let busyTimes = 0; ; ) {
    const reply = await send(base, request);
    const code = reply.body?.error?.code;
    // A reply to HEAD has no body to name the code in.
    const isLimited = code === "rate_limited" || (reply.status === 429 && request.method === "HEAD");
    const isBusy = code === "unavailable" && busyTimes < BUSY_TIMES_MAX;
    if (!isLimited && !isBusy) return reply;
    if (isBusy) busyTimes += 1;
    await new Promise((resolve) => setTimeout(resolve, isBusy ? BUSY_WAIT_MS : 200));
  }
}

async function readBody(message: IncomingMessage, type: string): Promise<string> {
  if (type.startsWith("text/event-stream")) {
    message.destroy();
    return "";
  }
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
