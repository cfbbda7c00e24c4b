import { z } from "zod";

/** How processes of one installation reach each other, by the name it has in the environment and in the settings file. */
export const INTERNAL_SETTINGS = {
  PARLEY_INTERNAL_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe(
      "The address at which a process that conducts calls lets the others of the installation listen in on them. Where `api` and `calls` run on several machines, one that the others reach and the outside does not.",
    ),
  PARLEY_INTERNAL_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe("The port of that; `0` picks a free one, which the others are told."),
  PARLEY_INTERNAL_URL: z
    .url({ protocol: /^http$/ })
    .transform((text) => text.replace(/\/+$/, ""))
    .optional()
    .describe(
      "What the others are told, where the address is another from their side, such as `http://worker-3.internal:7001`. Left out: the address and the port.",
    ),
};
type RawInternalSettings = z.infer<z.ZodObject<typeof INTERNAL_SETTINGS>>;

export interface InternalSettings {
  readonly host: string;
  readonly port: number;
  /** What other processes are told; null for the address and port that are listened on. */
  readonly url: string | null;
}

export function toInternalSettings(raw: RawInternalSettings): InternalSettings {
  return {
    host: raw.PARLEY_INTERNAL_HOST,
    port: raw.PARLEY_INTERNAL_PORT,
    url: raw.PARLEY_INTERNAL_URL ?? null,
  };
}

/** What is wrong with settings that are each right by themselves. */
export function findInternalMistakes({ host, port, url }: InternalSettings): string[] {
  if (["0.0.0.0", "::"].includes(host) && url === null)
    return [
      "PARLEY_INTERNAL_URL: needed where PARLEY_INTERNAL_HOST is all addresses, which is none that others can ask",
    ];
  if (url !== null && port === 0)
    return ["PARLEY_INTERNAL_URL: needs a PARLEY_INTERNAL_PORT other than 0, which it can name"];
  return [];
}
