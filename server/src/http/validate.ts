import { AppError, type ErrorDetail } from "@parley/contract/errors";
import type { z } from "zod";
import { findTextFault } from "./body.ts";

/** Parses by the contract, or throws 422 with every fault named. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => describe(issue, value));
  const [first] = details;
  throw new AppError("validation_failed", first ? sentence(first) : "The request is not valid.", { details });
}

/** Query parameters and path parameters are text that did not pass through the JSON reader. */
export function refuseBadText(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    const fault = typeof value === "string" ? findTextFault(value, name) : null;
    if (fault) throw new AppError("validation_failed", sentence(fault), { details: [fault] });
  }
}

function sentence(detail: ErrorDetail): string {
  return `${detail.param || "The body"} ${detail.message}.`;
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue, value: unknown): ErrorDetail[] {
  const param = pathText(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      param: param ? `${param}.${key}` : key,
      code: "unknown_field",
      message: "is not a field",
    }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // The branch with the fewest faults is the one that was most likely meant.
    const branches = issue.errors.map((errors) =>
      errors.flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }, value)),
    );
    return branches.reduce((best, next) => (next.length < best.length ? next : best));
  }
  if (issue.code === "invalid_type" && at(value, issue.path) === undefined) {
    return [{ param, code: "required", message: "is required" }];
  }
  return [{ param, code: codeOf(issue), message: messageOf(issue) }];
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

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, "");
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[part],
    value,
  );
}
