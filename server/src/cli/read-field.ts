import type { z } from "zod";
import { UsageError } from "./command.ts";

/** Reads what was typed by the rule the API has for it, or says in the words of the command line what is wrong. */
export function readField<T>(schema: z.ZodType<T>, name: string, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new UsageError(`${name}: ${issue?.message ?? "is wrong"}.`);
}
