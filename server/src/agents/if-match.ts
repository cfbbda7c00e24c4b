/**
 * Reads the revision in `If-Match`: bare or quoted, optionally marked weak. Null when there is none to compare with.
 * RFC 9110 section 13.1.1 asks for a quoted entity tag; people also send the number as they saw it in the body.
 */
export function readRevision(ifMatch: string | undefined): number | null {
  const match = /^(?:W\/)?(?:"(\d{1,9})"|(\d{1,9}))$/.exec(ifMatch?.trim() ?? "");
  const digits = match?.[1] ?? match?.[2];
  return digits === undefined ? null : Number(digits);
}
