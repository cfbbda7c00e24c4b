import { describe, expect, test } from "vitest";
import { UnreadableSecret } from "./sealed-text.ts";
import { deriveSecrets } from "./secret.ts";

const secrets = deriveSecrets("a secret that is only used in tests");
const others = deriveSecrets("another secret that is only used in tests");
const PASSWORD = 'pässwörd 🙂 with "quotes"';

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof UnreadableSecret) return error.message;
    throw error;
  }
  throw new Error("it was opened");
};

describe("a stored secret", () => {
  test.each(["", "x", PASSWORD, "y".repeat(5000)])("is read again as it was (%#)", (text) => {
    expect(secrets.open(secrets.seal(text, "trk_1"), "trk_1")).toBe(text);
  });

  test("shows nothing of itself, and is stored differently each time", () => {
    const [one, two] = [secrets.seal(PASSWORD, "trk_1"), secrets.seal(PASSWORD, "trk_1")];
    expect(one.equals(two)).toBe(false);
    expect(one.includes(Buffer.from("word"))).toBe(false);
  });

  test("under another installation secret is refused with what to set, and shows nothing", () => {
    const message = messageOf(() => others.open(secrets.seal(PASSWORD, "trk_1"), "trk_1"));
    expect(message).toContain("trk_1");
    expect(message).toContain("PARLEY_SECRET");
    expect(message).not.toContain("word ");
  });

  test("cannot be moved to another row", () => {
    expect(messageOf(() => secrets.open(secrets.seal(PASSWORD, "trk_1"), "trk_2"))).toContain("altered or moved");
  });

  test("in which any single bit was turned is not read", () => {
    const sealed = secrets.seal("abc", "trk_1");
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const turned = Buffer.from(sealed);
      turned.writeUInt8(turned.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => secrets.open(turned, "trk_1"), `bit ${bit}`).toThrow(UnreadableSecret);
    }
  });

  test("that is cut off at any length is not read", () => {
    const sealed = secrets.seal("abc", "trk_1");
    for (let bytes = 0; bytes < sealed.length; bytes += 1) {
      expect(() => secrets.open(sealed.subarray(0, bytes), "trk_1"), `${bytes} bytes`).toThrow(UnreadableSecret);
    }
  });

  test("of a later form names the release and not the secret as the cause", () => {
    const later = secrets.seal("abc", "trk_1");
    later.writeUInt8(2, 0);
    expect(messageOf(() => secrets.open(later, "trk_1"))).toContain("newer release (format 2)");
  });
});
