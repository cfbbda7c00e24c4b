import { z } from "zod";

const secretText = z.string().regex(/^[\x21-\x7e]+$/, "must be one word, without spaces and line breaks");

/** The settings of the store of recordings, by the name they have in the environment and in the settings file. */
export const BUCKET_SETTINGS = {
  PARLEY_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
    .optional()
    .describe(
      "A bucket of any store that speaks S3, for recordings; the same in every process. Left out: recordings stay in the data folder.",
    ),
  PARLEY_S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Where that store is, such as `https://minio.example:9000`. Left out: Amazon's, by the region."),
  PARLEY_S3_REGION: z.string().min(1).default("us-east-1").describe("Its region; other makes mostly take any."),
  PARLEY_S3_PREFIX: z
    .string()
    .regex(/^([\w.-]+\/)*$/, "must end with a slash, or be empty")
    .default("recordings/")
    .describe("What the names of the objects begin with."),
  PARLEY_S3_ACCESS_KEY_ID: secretText
    .optional()
    .describe("The key to sign requests with. Left out with the secret: what Amazon's tools find by themselves."),
  PARLEY_S3_SECRET_ACCESS_KEY: secretText.optional().describe("Its secret. It is never logged."),
  PARLEY_S3_PATH_STYLE: z
    .enum(["on", "off"])
    .optional()
    .describe(
      "Whether the bucket is named in the path (`on`) or in the host name (`off`). Left out: `on` where an endpoint is named.",
    ),
};
type RawBucketSettings = z.infer<z.ZodObject<typeof BUCKET_SETTINGS>>;

export interface BucketSettings {
  readonly bucket: string;
  readonly endpoint: string | null;
  readonly region: string;
  readonly prefix: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  readonly isPathStyle: boolean;
}

/** Null where recordings stay in the data folder. */
export function toBucketSettings(raw: RawBucketSettings): BucketSettings | null {
  if (raw.PARLEY_S3_BUCKET === undefined) return null;
  const { PARLEY_S3_ACCESS_KEY_ID: accessKeyId, PARLEY_S3_SECRET_ACCESS_KEY: secretAccessKey } = raw;
  return {
    bucket: raw.PARLEY_S3_BUCKET,
    endpoint: raw.PARLEY_S3_ENDPOINT ?? null,
    region: raw.PARLEY_S3_REGION,
    prefix: raw.PARLEY_S3_PREFIX,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
    isPathStyle: raw.PARLEY_S3_PATH_STYLE ? raw.PARLEY_S3_PATH_STYLE === "on" : raw.PARLEY_S3_ENDPOINT !== undefined,
  };
}

/** What a schema of one setting cannot see. */
export function findBucketMistakes(raw: RawBucketSettings): string[] {
  const mistakes: string[] = [];
  if ((raw.PARLEY_S3_ACCESS_KEY_ID === undefined) !== (raw.PARLEY_S3_SECRET_ACCESS_KEY === undefined))
    mistakes.push("PARLEY_S3_ACCESS_KEY_ID: needs PARLEY_S3_SECRET_ACCESS_KEY beside it, or neither");
  if (raw.PARLEY_S3_BUCKET === undefined && raw.PARLEY_S3_ENDPOINT !== undefined)
    mistakes.push("PARLEY_S3_ENDPOINT: needs PARLEY_S3_BUCKET beside it");
  return mistakes;
}
