import { AppError } from "@parley/contract/errors";
import { describe, expect, test } from "vitest";
import { BodyReader, parseJsonBody } from "./body.ts";

function refusal(text: string | Buffer): AppError {
  try {
    parseJsonBody(Buffer.from(text as string));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("a JSON body", () => {
  test("that is not JSON, or not UTF-8, is malformed", () => {
    expect(refusal("{").code).toBe("malformed_json");
    expect(refusal("").code).toBe("malformed_json");
    expect(refusal(Buffer.from([0x22, 0xff, 0x22])).code).toBe("malformed_json");
  });

  test("that is nested ten thousand deep is refused without harm", () => {
    expect(refusal("[".repeat(10_000) + "]".repeat(10_000)).details[0]?.code).toBe("too_deep");
    expect(refusal(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`).details[0]?.code).toBe("too_deep");
  });

  test("with a NUL or half a character is refused by the name of the field", () => {
    expect(refusal('{"a":{"b":["x\\u0000"]}}').details[0]).toMatchObject({ param: "a.b[0]", code: "nul_character" });
    expect(refusal('{"a":"\\ud800"}').details[0]).toMatchObject({ param: "a", code: "lone_surrogate" });
    expect(refusal('{"a":{"\\u0000":"x"}}').details[0]).toMatchObject({ code: "nul_character" });
  });

  test("cannot smuggle a prototype in", () => {
    expect(refusal('{"__proto__":{"admin":true}}').details[0]).toMatchObject({
      param: "__proto__",
      code: "unknown_field",
    });
    expect(refusal('{"metadata":{"__proto__":"x"}}').details[0]).toMatchObject({ param: "metadata.__proto__" });
  });

  test("with emoji and every script is accepted unchanged", () => {
    expect(parseJsonBody(Buffer.from('{"a":"👩‍👩‍👧 שלום مرحبا"}'))).toEqual({ a: "👩‍👩‍👧 שלום مرحبا" });
  });
});

describe("large bodies that arrive together", () => {
  /** Turns of the event loop that a test takes by hand. */
  function openReader() {
    const waiting: (() => void)[] = [];
    let turns = 0;
    const reader = new BodyReader(() => new Promise<void>((resolve) => waiting.push(resolve)));
    return {
      /** The result of reading a body, and how many turns it took. */
      read: (text: string) =>
        reader.read(Buffer.from(text)).then(
          () => ({ turns, code: null }),
          (error: AppError) => ({ turns, code: error.code }),
        ),
      async turn(count: number) {
        for (let taken = 0; taken < count; taken += 1) {
          await new Promise((resolve) => setImmediate(resolve));
          turns += 1;
          for (const resolve of waiting.splice(0)) resolve();
        }
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  }
  const large = (text: string) => JSON.stringify({ text, padding: "x".repeat(100_000) });

  test("are read one after the other, each step in its own turn", async () => {
    const { read, turn } = openReader();
    const all = [read(large("a")), read(large("b")), read(large("c"))];
    await turn(8);
    expect(await Promise.all(all)).toEqual([2, 5, 8].map((turns) => ({ turns, code: null })));
  });

  test("do not keep small ones waiting", async () => {
    const { read, turn } = openReader();
    const [first, small] = [read(large("a")), read('{"a":1}')];
    await turn(2);
    expect(await Promise.all([first, small])).toEqual([
      { turns: 2, code: null },
      { turns: 0, code: null },
    ]);
  });

  test("are refused as small ones are, and let the next one in", async () => {
    const { read, turn } = openReader();
    const tooMany = `[${"1,".repeat(150_000)}1]`;
    const all = [read(tooMany), read(`${large("a")}]`), read(large("b"))];
    await turn(6);
    expect((await Promise.all(all)).map(({ code }) => code)).toEqual(["validation_failed", "malformed_json", null]);
  });
});
