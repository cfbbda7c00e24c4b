import { AppError, type ErrorDetail } from "@parley/contract/errors";

const DEPTH_MAX = 32;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads a JSON body that PostgreSQL and people can hold: UTF-8, not too deep, no NUL, no half characters. */
export function parseJsonBody(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new AppError("malformed_json", "The body is not valid JSON in UTF-8.");
  }
  const fault = findFault(value, "", 0);
  if (fault)
    throw new AppError("validation_failed", `${fault.param || "The body"} ${fault.message}.`, { details: [fault] });
  return value;
}

/** Finds what no field may contain, wherever it stands. */
function findFault(value: unknown, param: string, depth: number): ErrorDetail | null {
  if (typeof value === "string") return findTextFault(value, param);
  if (typeof value !== "object" || value === null) return null;
  if (depth >= DEPTH_MAX)
    return { param: "", code: "too_deep", message: `must not be nested deeper than ${DEPTH_MAX} levels` };
  for (const [key, inner] of Object.entries(value)) {
    const path = Array.isArray(value) ? `${param}[${key}]` : param ? `${param}.${key}` : key;
    if (key === "__proto__") return { param: path, code: "unknown_field", message: "is not a field" };
    const fault =
      (Array.isArray(value) ? null : findTextFault(key, param || "body")) ?? findFault(inner, path, depth + 1);
    if (fault) return fault;
  }
  return null;
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
export function findTextFault(text: string, param: string): ErrorDetail | null {
  if (text.includes("\0")) return { param, code: "nul_character", message: "must not contain the character U+0000" };
  if (!text.isWellFormed())
    return { param, code: "lone_surrogate", message: "must not contain half of a surrogate pair" };
  return null;
}
