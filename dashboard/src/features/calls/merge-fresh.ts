import type { Call } from "@parley/contract/calls";
import type { Page } from "../../api/send.ts";

type Row = Pick<Call, "id" | "createdAt">;

/**
 * Puts a newly fetched first page into a list of pages, newest first. Rows that are as new as the fresh ones and not among
 * them no longer belong to the list; older ones stay, so that whoever has scrolled down loses nothing.
 */
export function mergeFresh<R extends Row>(pages: readonly Page<R>[], fresh: Page<R>): Page<R>[] {
  const last = fresh.rows.at(-1);
  const [first, second, ...rest] = pages;
  if (!first || !second || !last || fresh.nextCursor === null) return [fresh];
  const older = (page: Page<R>) => page.rows.filter((row) => isOlder(row, last));
  // What new rows pushed off the first page goes to the head of the second, whose cursor stays true.
  return [
    fresh,
    { rows: [...older(first), ...older(second)], nextCursor: second.nextCursor },
    ...rest.map((page) => ({ rows: older(page), nextCursor: page.nextCursor })),
  ];
}

/** Replaces rows by what they have become. */
export function replaceRows<R extends Row>(pages: readonly Page<R>[], changed: readonly R[]): Page<R>[] {
  const byId = new Map(changed.map((row) => [row.id, row]));
  return pages.map((page) => ({ ...page, rows: page.rows.map((row) => byId.get(row.id) ?? row) }));
}

function isOlder(row: Row, than: Row): boolean {
  return row.createdAt < than.createdAt || (row.createdAt === than.createdAt && row.id < than.id);
}
