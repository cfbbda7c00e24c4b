import { AppError } from "@parley/contract/errors";
import { describe, expect, test } from "vitest";
import { parseJsonBody } from "./body.ts";

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

  test("with emoji and every script is taken as it is", () => {
    expect(parseJsonBody(Buffer.from('{"a":"👩‍👩‍👧 שלום مرحبا"}'))).toEqual({ a: "👩‍👩‍👧 שלום مرحبا" });
  });
});
