import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import type { WebhookType } from "@parley/contract/webhooks";

/** What a person fills in. */
export interface EndpointForm {
  url: string;
  description: string;
  wants: "all" | "some";
  eventTypes: WebhookType[];
  /** A line each, `Name: value`. */
  headers: string;
  /** Of an endpoint that has headers: whether it shall have none. */
  dropsHeaders: boolean;
}

export function startEndpointForm(endpoint: WebhookEndpoint | null): EndpointForm {
  return {
    url: endpoint?.url ?? "",
    description: endpoint?.description ?? "",
    wants: endpoint?.eventTypes ? "some" : "all",
    eventTypes: endpoint?.eventTypes ?? ["call.completed", "call.failed"],
    headers: "",
    dropsHeaders: false,
  };
}

export interface EndpointWish {
  url: string;
  description: string;
  eventTypes: WebhookType[] | null;
  headers?: Record<string, string>;
}

/** What the API is asked for. Headers that nobody wrote stay as they are: their values are never shown. */
export function readEndpointForm(form: EndpointForm): EndpointWish {
  const headers = form.dropsHeaders ? {} : readHeaders(form.headers);
  return {
    url: form.url.trim(),
    description: form.description.trim(),
    eventTypes: form.wants === "all" ? null : form.eventTypes,
    ...(form.dropsHeaders || Object.keys(headers).length > 0 ? { headers } : {}),
  };
}

function readHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

/** The first line that is no header, in words; null when all are. */
export function headerMistake(text: string): string | null {
  const line = linesOf(text).find((each) => each.indexOf(":") < 1);
  return line === undefined ? null : `“${line}” is not written as Name: value.`;
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
