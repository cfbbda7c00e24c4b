/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a `Range` header (RFC 9110, section 14.1.2) against the length of the content. `whole` is the result for no
 * range, an invalid one, and several in one header, which section 14.2 leaves to us; `beyond` for one with nothing in
 * it.
 */
export function readByteRange(header: string | undefined, length: number): ByteRange | "whole" | "beyond" {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "");
  const [, from = "", to = ""] = match ?? [];
  if (from === "" && to === "") return "whole";
  // A suffix range: so many bytes from the end.
  if (from === "") return Number(to) === 0 ? "beyond" : within(Math.max(0, length - Number(to)), length - 1, length);
  if (to !== "" && Number(to) < Number(from)) return "whole";
  return within(Number(from), to === "" ? length - 1 : Math.min(Number(to), length - 1), length);
}

function within(first: number, last: number, length: number): ByteRange | "beyond" {
  return first < length ? { first, last } : "beyond";
}
