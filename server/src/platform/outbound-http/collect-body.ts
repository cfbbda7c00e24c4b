const FIRST_BYTES = 4096;

/** Joins the pieces of a body. They are copied at once: a thousand tiny ones must not keep a thousand large buffers alive. */
export async function collectBody(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  let whole = new Uint8Array(FIRST_BYTES);
  let length = 0;
  for await (const piece of pieces) {
    if (length + piece.byteLength > whole.byteLength) {
      const larger = new Uint8Array(Math.max(whole.byteLength * 2, length + piece.byteLength));
      larger.set(whole.subarray(0, length));
      whole = larger;
    }
    whole.set(piece, length);
    length += piece.byteLength;
  }
  return whole.subarray(0, length);
}
