import { timingSafeEqual } from "node:crypto";
import { invalidField } from "@parley/contract/errors";
import { z } from "zod";

/** Where a list continues. `filter` ties it to the account and the query it came from. */
export interface Cursors {
  write(position: readonly string[], filter: unknown): string;
  /** Returns the position, or throws 422 when the cursor was altered or belongs to another list. */
  read(cursor: string, filter: unknown): string[];
}

const SIGNATURE_BYTES = 12;
const Position = z.array(z.string());

/** Cursors are signed: a client can neither make one up nor carry one to another account's list. */
export function createCursors(sign: (text: string) => Buffer): Cursors {
  const signature = (position: string, filter: unknown) =>
    sign(`cursor\n${JSON.stringify(filter)}\n${position}`).subarray(0, SIGNATURE_BYTES);
  return {
    write(position, filter) {
      const text = JSON.stringify(position);
      return Buffer.concat([signature(text, filter), Buffer.from(text)]).toString("base64url");
    },
    read(cursor, filter) {
      const bytes = Buffer.from(cursor, "base64url");
      const text = bytes.subarray(SIGNATURE_BYTES).toString();
      const given = bytes.subarray(0, SIGNATURE_BYTES);
      const isOurs =
        bytes.toString("base64url") === cursor &&
        given.length === SIGNATURE_BYTES &&
        timingSafeEqual(given, signature(text, filter));
      if (!isOurs)
        throw invalidField("cursor", "bad_cursor", "cursor must be the nextCursor of the page before, unchanged.");
      return Position.parse(JSON.parse(text));
    },
  };
}

/** Cuts a list that was read one row too long, and returns where it continues. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { rows: readonly Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}
