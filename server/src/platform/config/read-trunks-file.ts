import { readFileSync } from "node:fs";
import { AppError, type ErrorDetail } from "@parley/contract/errors";
import { NewTrunkRoute } from "@parley/contract/trunk-routes";
import { findTrunkFaults, NewTrunk } from "@parley/contract/trunks";
import { z } from "zod";
import { validate } from "../http/validate.ts";

/** The contents of the trunks file. Routes refer to trunks by name. */
export interface ConfiguredTrunks {
  readonly trunks: readonly NewTrunk[];
  readonly routes: readonly ConfiguredRoute[];
}
export interface ConfiguredRoute {
  readonly prefix: string;
  readonly trunk: string;
  readonly priority: number;
  readonly weight: number;
}

export interface ReadTrunksFile {
  /** Null when there are mistakes. */
  readonly configured: ConfiguredTrunks | null;
  /** All mistakes. They never contain passwords. */
  readonly mistakes: readonly string[];
  /** Variables with passwords, which are therefore not unknown settings. */
  readonly variables: readonly string[];
}

const FromVariable = z.strictObject({ env: z.string().min(1) });
const File = z.strictObject({
  trunks: z.array(
    z.strictObject({ ...NewTrunk.shape, password: z.union([FromVariable, NewTrunk.shape.password]).default(null) }),
  ),
  routes: z
    .array(z.strictObject({ ...NewTrunkRoute.omit({ trunkId: true }).shape, trunk: z.string().min(1) }))
    .default([]),
});
type File = z.infer<typeof File>;

/** Reads and validates the file named by PARLEY_TRUNKS. */
export function readTrunksFile(path: string, environment: Readonly<Record<string, string>>): ReadTrunksFile {
  const file = parseFile(path);
  if (typeof file === "string") return { configured: null, mistakes: [`PARLEY_TRUNKS: ${file}`], variables: [] };
  const shape = readShape(file);
  if (Array.isArray(shape)) return { configured: null, mistakes: shape.map(sentence), variables: namedVariables(file) };
  const faults: ErrorDetail[] = [];
  const trunks = shape.trunks.map((trunk, index) => {
    const password = resolvePassword(trunk.password, `trunks[${index}]`, environment, faults);
    for (const fault of findTrunkFaults({ ...trunk, hasPassword: trunk.password !== null }))
      faults.push({ ...fault, param: `trunks[${index}].${fault.param}` });
    return { ...trunk, password };
  });
  faults.push(...findClashes(shape));
  return {
    configured: faults.length > 0 ? null : { trunks, routes: shape.routes },
    mistakes: faults.map(sentence),
    variables: namedVariables(file),
  };
}

/** The value, or an error message. The parser's own message is not included: it quotes the file and its passwords. */
function parseFile(path: string): object | string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return `cannot be read (${(error as Error).message})`;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : `${path} does not contain an object`;
  } catch (error) {
    const place = /line \d+ column \d+/.exec((error as Error).message)?.[0];
    return `${path} is not valid JSON${place ? ` (${place})` : ""}`;
  }
}

function readShape(file: object): File | ErrorDetail[] {
  try {
    return validate(File, file);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [...error.details];
  }
}

function resolvePassword(
  password: File["trunks"][number]["password"],
  place: string,
  environment: Readonly<Record<string, string>>,
  faults: ErrorDetail[],
): string | null {
  if (password === null || typeof password === "string") return password;
  const value = environment[password.env];
  const result = NewTrunk.shape.password.safeParse(value ?? null);
  if (value === undefined)
    faults.push({ param: `${place}.password`, code: "unset", message: `names ${password.env}, which is not set` });
  else if (!result.success)
    faults.push({
      param: `${place}.password`,
      code: "wrong",
      message: `in ${password.env} is not a valid password for a trunk`,
    });
  return result.data ?? null;
}

function findClashes({ trunks, routes }: File): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const names = trunks.map(({ name }) => name.toLowerCase());
  names.forEach((name, index) => {
    if (names.indexOf(name) < index)
      faults.push({ param: `trunks[${index}].name`, code: "taken", message: "is used by another trunk" });
  });
  const seen = new Set<string>();
  routes.forEach((route, index) => {
    const name = route.trunk.toLowerCase();
    if (!names.includes(name))
      faults.push({
        param: `routes[${index}].trunk`,
        code: "unknown",
        message: "is not the name of a trunk in this file",
      });
    const key = `${route.prefix} ${name}`;
    if (seen.has(key))
      faults.push({ param: `routes[${index}].prefix`, code: "taken", message: "already has a route to this trunk" });
    seen.add(key);
  });
  return faults;
}

/** Collected separately, so that they are known even if something else is invalid. */
function namedVariables(file: object): string[] {
  const { trunks } = file as { trunks?: unknown };
  if (!Array.isArray(trunks)) return [];
  return trunks.flatMap((trunk: unknown) => {
    const named = FromVariable.safeParse((trunk as { password?: unknown } | null)?.password);
    return named.success ? [named.data.env] : [];
  });
}

function sentence({ param, message }: ErrorDetail): string {
  return `PARLEY_TRUNKS: ${param || "the file"} ${message}`;
}
