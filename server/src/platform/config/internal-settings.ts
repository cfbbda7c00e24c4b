import { z } from "zod";

/** Settings for connections between processes, by their names in the environment and in the settings file. */
export const INTERNAL_SETTINGS = {
  PARLEY_INTERNAL_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe(
      "The address at which a process that conducts calls serves the other processes of the installation. If `api` and `calls` run on several machines, use a private address that the others can reach.",
    ),
  PARLEY_INTERNAL_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe("The port of that address; `0` picks a free one and announces it to the others."),
  PARLEY_INTERNAL_URL: z
    .url({ protocol: /^http$/ })
    .transform((text) => text.replace(/\/+$/, ""))
    .optional()
    .describe(
      "The URL announced to the other processes if it differs from the address and port, such as `http://worker-3.internal:7001`.",
    ),
};
type RawInternalSettings = z.infer<z.ZodObject<typeof INTERNAL_SETTINGS>>;

export interface InternalSettings {
  readonly host: string;
  readonly port: number;
  /** The URL announced to other processes; null for the listening address and port. */
  readonly url: string | null;
}

export function toInternalSettings(raw: RawInternalSettings): InternalSettings {
  return {
    host: raw.PARLEY_INTERNAL_HOST,
    port: raw.PARLEY_INTERNAL_PORT,
    url: raw.PARLEY_INTERNAL_URL ?? null,
  };
}

/** Validates combinations of settings. */
export function findInternalMistakes({ host, port, url }: InternalSettings): string[] {
  if (["0.0.0.0", "::"].includes(host) && url === null)
    return [
      "PARLEY_INTERNAL_URL: required if PARLEY_INTERNAL_HOST is all addresses, because others cannot connect to that",
    ];
  if (url !== null && port === 0) return ["PARLEY_INTERNAL_URL: requires a PARLEY_INTERNAL_PORT other than 0"];
  return [];
}
