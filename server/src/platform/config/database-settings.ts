import { z } from "zod";
import { readDatabaseUrl } from "../database/connecting/database-url.ts";

const databaseUrl = z
  .string()
  .refine(
    (text) => readDatabaseUrl(text) !== null,
    "must be a PostgreSQL URL such as postgresql://parley@db.example/parley; several servers are separated by commas",
  );

/** Settings for the database, by their names in the environment and in the settings file. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      "A PostgreSQL database, version 15 or later, such as `postgresql://parley@db.example/parley`. It may list several servers, `postgresql://parley@db1:5432,db2:5432/parley`: connections go to the one that takes writes. Default: an embedded one in the data folder.",
    ),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .describe(
      "The same database without a pooler, if `DATABASE_URL` leads to one in transaction mode, such as PgBouncer. Used for migrations, notifications, jobs and backups. Default: `DATABASE_URL` is no pooler.",
    ),
  DATABASE_REPLICA_URL: databaseUrl
    .optional()
    .describe(
      "A read replica, or several, for lists of calls and usage statistics. Default: everything is read from the database itself.",
    ),
  PARLEY_REPLICA_LAG_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(3600)
    .default(5)
    .describe("How far the replica may be behind. If it is further, or away, the database itself is read."),
  PARLEY_DATABASE_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(2)
    .max(500)
    .default(16)
    .describe("The maximum number of database connections of this process."),
};
type RawDatabaseSettings = z.infer<z.ZodObject<typeof DATABASE_SETTINGS>>;

export interface ReplicaSettings {
  readonly url: string;
  readonly lagMaxMs: number;
}

export function toReplicaSettings(raw: RawDatabaseSettings): ReplicaSettings | null {
  if (raw.DATABASE_REPLICA_URL === undefined) return null;
  return { url: raw.DATABASE_REPLICA_URL, lagMaxMs: raw.PARLEY_REPLICA_LAG_SECONDS * 1000 };
}

/** Validates combinations of settings. */
export function findDatabaseMistakes(raw: RawDatabaseSettings): string[] {
  if (raw.DATABASE_URL !== undefined) return [];
  return (["DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"] as const)
    .filter((name) => raw[name] !== undefined)
    .map((name) => `${name}: requires DATABASE_URL`);
}
