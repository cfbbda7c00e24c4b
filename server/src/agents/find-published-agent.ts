import type { Database } from "../platform/database/database.ts";
import { findPublishedAgentRow } from "./version-store.ts";

/** An agent as a new call needs it. */
export type PublishedAgent =
  | { readonly exists: false }
  | {
      readonly exists: true;
      /** Null: nothing was published yet. */
      readonly publishedVersion: number | null;
      /** The requested version, or else the published one; null when there is no such version. */
      readonly chosen: ChosenVersion | null;
    };

export interface ChosenVersion {
  readonly version: number;
  readonly engine: string | null;
  /** A BCP 47 tag. */
  readonly language: string;
  /** Whether its flow asks a language model anywhere. */
  readonly needsModel: boolean;
}

/** Finds what a call to this agent would use. A deleted agent, or another account's, does not exist. */
export async function findPublishedAgent(
  db: Database,
  accountId: string,
  agentId: string,
  version?: number,
): Promise<PublishedAgent> {
  const row = await findPublishedAgentRow(db, accountId, agentId, version ?? null);
  if (!row) return { exists: false };
  return {
    exists: true,
    publishedVersion: row.published_version,
    chosen:
      row.version === null || row.language === null
        ? null
        : { version: row.version, engine: row.engine, language: row.language, needsModel: row.needs_model ?? false },
  };
}
