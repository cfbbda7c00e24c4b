import { AppError, ERROR_DETAILS_MAX, type ErrorDetail } from "@parley/contract/errors";
import { z } from "zod";
import { findTextFault, paramOf } from "./body.ts";

/** Parses by the contract, or throws 422 that names what is wrong, up to as many faults as a reply may hold. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  // Not `safeParse`: its error writes a message for every issue, and a body can have tens of thousands of them.
  const result = schema._zod.run({ value, issues: [] }, thoroughAtFirst());
  if (result instanceof Promise) throw new Error("a schema of the contract must not be asynchronous");
  if (result.issues.length === 0) return result.value as z.output<S>;
  const details: ErrorDetail[] = [];
  for (const raw of result.issues) {
    if (details.length >= ERROR_DETAILS_MAX) break;
    details.push(...describe(z.core.util.finalizeIssue(raw, undefined, z.core.config()), value));
  }
  details.splice(ERROR_DETAILS_MAX);
  const [first] = details;
  throw new AppError("validation_failed", first ? sentence(first) : "The request is not valid.", { details });
}

/**
 * Collecting faults costs far more than finding none, and zod collects them all. It asks its context whether to leave
 * an object or a list at the first fault; from some number of questions on the answer is yes, so that a body of
 * thousands of faults costs little more than a body without.
 */
function thoroughAtFirst() {
  let questions = 0;
  return {
    async: false as const,
    get abortEarly() {
      questions += 1;
      return questions > QUESTIONS_MAX;
    },
  };
}

// Each object and list asks once, and each fault. An agent with 500 nodes and one fault in each still has the first 50 named.
const QUESTIONS_MAX = 1000;

/** Query parameters and path parameters are text that did not pass through the JSON reader. */
export function refuseBadText(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    const fault = typeof value === "string" ? findTextFault(value, () => name) : null;
    if (fault) throw new AppError("validation_failed", sentence(fault), { details: [fault] });
  }
}

function sentence(detail: ErrorDetail): string {
  return `${detail.param || "The body"} ${detail.message}.`;
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue, value: unknown): ErrorDetail[] {
  const param = paramOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, ERROR_DETAILS_MAX).map((key) => ({
      param: param ? `${param}.${key}` : key,
      code: "unknown_field",
      message: "is not a field",
    }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // The branch with the fewest faults is the one that was most likely meant.
    const branch = issue.errors.reduce((best, next) => (faultsIn(next) < faultsIn(best) ? next : best));
    return branch
      .slice(0, ERROR_DETAILS_MAX)
      .flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }, value));
  }
  if (issue.code === "invalid_type" && at(value, issue.path) === undefined) {
    return [{ param, code: "required", message: "is required" }];
  }
  return [{ param, code: codeOf(issue), message: messageOf(issue) }];
}

function faultsIn(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
}

function codeOf(issue: Issue): string {
  if (issue.code === "invalid_format" && issue.format === "regex" && String(issue.pattern ?? "").includes("\\+[1-9]"))
    return "not_e164";
  const codes: Record<string, string> = {
    invalid_type: "wrong_type",
    too_small: "too_small",
    too_big: "too_big",
    invalid_format: "wrong_format",
    invalid_value: "not_one_of",
    not_multiple_of: "wrong_format",
    invalid_key: "wrong_key",
  };
  return codes[issue.code] ?? "invalid";
}

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${article(issue.expected)}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_small":
      if (issue.minimum === 1 && (issue.origin === "string" || issue.origin === "array")) return "must not be empty";
      return issue.message.startsWith("must")
        ? issue.message
        : `must be at least ${issue.minimum}${unit(issue.origin)}`;
    case "too_big":
      return issue.message.startsWith("must") ? issue.message : `must be at most ${issue.maximum}${unit(issue.origin)}`;
    default:
      return issue.message.startsWith("must") ? issue.message : "is not valid";
  }
}

function unit(origin: string): string {
  if (origin === "string") return " characters long";
  return origin === "array" ? " items long" : "";
}

function article(expected: string): string {
  if (expected === "int") return "a whole number";
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[part],
    value,
  );
}
