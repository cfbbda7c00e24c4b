export interface Refusal {
  readonly message: string;
  readonly description: string;
  /** What n8n shows as the details of the error. */
  readonly reply: Readonly<Record<string, unknown>>;
}

interface ReportedError {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly param: string; readonly message: string }[];
  readonly requestId?: string;
}

/** Says what was refused in the words of the service, or what else answered in its place. */
export function describeRefusal(statusCode: number, body: unknown): Refusal {
  const error = readError(body);
  if (error === null) {
    const text = typeof body === "string" && body !== "" ? body.slice(0, 200) : "The reply is empty.";
    return { message: `HTTP ${statusCode}, not from Parley; check the base URL`, description: text, reply: { text } };
  }
  const fields = (error.details ?? []).map(({ param, message }) => `${param}: ${message}`);
  return {
    message: error.message,
    description: [...fields, `${error.code}, request ${error.requestId ?? "without an id"}`].join("\n"),
    reply: { ...error },
  };
}

function readError(body: unknown): ReportedError | null {
  const reply = (typeof body === "string" ? parse(body) : body) as { error?: ReportedError } | null;
  return typeof reply?.error?.code === "string" && typeof reply.error.message === "string" ? reply.error : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
