import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../database/database.ts";
import { openSearch } from "../transcript-search/open-search.ts";
import type { CallRow } from "./call-record.ts";
import { type CallFilter, type CallPosition, readCallPositions, readCallsById } from "./call-store.ts";

export interface FoundCalls {
  /** Newest first. */
  readonly rows: CallRow[];
  /** Where to go on; null when there is nothing more. */
  readonly next: CallPosition | null;
}

/** So many calls are looked through at once. */
const LOOK_THROUGH = 1_000;
/** One request looks through so many at most, and then says where to go on, be its page full or not. */
const LOOKS_MAX = 20;
/** So many that match can be put in order at once. */
const FEW_MAX = 2_000;

/**
 * One page of the calls in which something was heard. What is common is found among the newest; what is rare is found
 * by the index. What is neither is looked for step by step: no request costs more than so many steps, however many
 * calls there are.
 */
export async function searchCalls(
  db: Database,
  accountId: string,
  mode: Mode,
  text: string,
  filter: CallFilter,
  after: CallPosition | null,
  limit: number,
): Promise<FoundCalls> {
  const search = await openSearch(db, accountId, mode, text);
  const found: CallPosition[] = [];
  let position = after;
  let isAtEnd = false;
  for (let look = 0; look < LOOKS_MAX && found.length <= limit && !isAtEnd; look++) {
    const few = look === 1 ? await search.few(FEW_MAX) : null;
    if (few) {
      found.push(...(await readCallPositions(db, accountId, mode, filter, position, limit + 1, few)));
      isAtEnd = true;
      break;
    }
    const next = await readCallPositions(db, accountId, mode, filter, position, LOOK_THROUGH);
    const matching = await search.among(next.map(({ id }) => id));
    found.push(...next.filter(({ id }) => matching.has(id)));
    position = next.at(-1) ?? position;
    isAtEnd = next.length < LOOK_THROUGH;
  }
  const page = found.slice(0, limit);
  const rows = await readCallsById(
    db,
    page.map(({ id }) => id),
  );
  if (found.length > limit) return { rows, next: page.at(-1) ?? null };
  return { rows, next: isAtEnd ? null : position };
}
