import { createHash } from "node:crypto";

/** The fields of the node, as n8n hands them over. */
export interface CallFields {
  readonly phoneNumber: string;
  readonly agentId: string;
  readonly variables: { readonly variable?: readonly { readonly name: string; readonly value: unknown }[] };
  readonly additionalFields: Readonly<Record<string, unknown>>;
}

/** A field of the node that is not what it should be. */
export class FieldError extends Error {}

/** The body of the request that places the call. Fields that were left empty are left out. */
export function newCallOf({ phoneNumber, agentId, variables, additionalFields }: CallFields): Record<string, unknown> {
  const { idempotencyKey: _, metadata, simulation, agentVersion, scheduledAt, ...others } = additionalFields;
  const body: Record<string, unknown> = {
    phoneNumber: phoneNumber.trim(),
    agentId,
    variables: Object.fromEntries((variables.variable ?? []).map(({ name, value }) => [name, String(value)])),
    metadata: readObject("Metadata", metadata),
    simulation: readObject("Simulation", simulation),
    agentVersion: /^\d+$/.test(String(agentVersion ?? "")) ? Number(agentVersion) : agentVersion,
    scheduledAt: scheduledAt ? toInstant(String(scheduledAt)) : undefined,
    ...others,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isEmpty(value)));
}

export interface KeyParts {
  readonly executionId: string;
  readonly nodeId: string;
  readonly runIndex: number;
  readonly itemIndex: number;
}

/**
 * The key under which the call is placed once. A retry of the node has the same; another round of a loop, and another call that
 * an AI agent makes in the same execution, has another.
 */
export function idempotencyKeyOf(parts: KeyParts, body: Readonly<Record<string, unknown>>): string {
  const { executionId, nodeId, runIndex, itemIndex } = parts;
  const text = JSON.stringify([executionId, nodeId, runIndex, itemIndex, body]);
  return `n8n-${createHash("sha256").update(text).digest("hex").slice(0, 40)}`;
}

/** n8n's dates may be local; the service wants an instant. What is not a date is left for the service to refuse. */
export function toInstant(value: string): string {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
}

function readObject(name: string, value: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return value;
  try {
    const object = JSON.parse(value) as unknown;
    if (typeof object === "object" && object !== null && !Array.isArray(object)) return object;
  } catch {
    throw new FieldError(`${name} is not valid JSON.`);
  }
  throw new FieldError(`${name} must be a JSON object.`);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
