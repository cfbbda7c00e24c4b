import { describe, expect, it } from "vitest";
import { writeDialedNumber, writeNumber } from "./write-number.ts";

describe("writing a number for a trunk", () => {
  it("follows the trunk's format, and puts its prefix before dialed numbers", () => {
    expect(writeNumber({ numberFormat: "e164" }, "4930123")).toBe("+4930123");
    expect(writeNumber({ numberFormat: "e164" }, "+4930123")).toBe("+4930123");
    expect(writeNumber({ numberFormat: "digits" }, "+4930123")).toBe("4930123");
    expect(writeDialedNumber({ numberFormat: "digits", dialPrefix: "00" }, "+4930123")).toBe("004930123");
    expect(writeDialedNumber({ numberFormat: "e164", dialPrefix: "" }, "alice")).toBe("alice");
  });
});
