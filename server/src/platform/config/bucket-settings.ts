import { z } from "zod";

const secretText = z.string().regex(/^[\x21-\x7e]+$/, "must be one word, without spaces and line breaks");

/** The object storage settings, by their names in the environment and in the settings file. */
export const BUCKET_SETTINGS = {
  PARLEY_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
    .optional()
    .describe(
      "An S3-compatible bucket for recordings; the same in every process. Default: recordings stay in the data folder.",
    ),
  PARLEY_S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("The URL of the store, such as `https://minio.example:9000`. Default: Amazon's, by region."),
  PARLEY_S3_REGION: z
    .string()
    .min(1)
    .default("us-east-1")
    .describe("The region; most stores other than Amazon's accept any."),
  PARLEY_S3_PREFIX: z
    .string()
    .regex(/^([\w.-]+\/)*$/, "must end with a slash, or be empty")
    .default("recordings/")
    .describe("The prefix of object names."),
  PARLEY_S3_ACCESS_KEY_ID: secretText
    .optional()
    .describe("The access key. If it and the secret are omitted, the default credentials of the AWS SDK are used."),
  PARLEY_S3_SECRET_ACCESS_KEY: secretText.optional().describe("The secret access key. It is never logged."),
  PARLEY_S3_PATH_STYLE: z
    .enum(["on", "off"])
    .optional()
    .describe(
      "Whether the bucket is part of the path (`on`) or of the host name (`off`). Default: `on` if an endpoint is set.",
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

/** Null if recordings stay in the data folder. */
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

/** Validates combinations of settings. */
export function findBucketMistakes(raw: RawBucketSettings): string[] {
  const mistakes: string[] = [];
  if ((raw.PARLEY_S3_ACCESS_KEY_ID === undefined) !== (raw.PARLEY_S3_SECRET_ACCESS_KEY === undefined))
    mistakes.push("PARLEY_S3_ACCESS_KEY_ID: requires PARLEY_S3_SECRET_ACCESS_KEY");
  if (raw.PARLEY_S3_BUCKET === undefined && raw.PARLEY_S3_ENDPOINT !== undefined)
    mistakes.push("PARLEY_S3_ENDPOINT: requires PARLEY_S3_BUCKET");
  return mistakes;
}
