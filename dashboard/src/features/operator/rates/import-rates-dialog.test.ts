import { describe, expect, test } from "vitest";
import { readPriceList } from "./import-rates-dialog.tsx";

describe("a price list", () => {
  test("is read in the order prefix, price, description if its columns have no names", () => {
    expect(readPriceList('+49,0.012,Germany\n+4930,0.01,"Berlin, ""city"""\n')).toEqual({
      rates: [
        { prefix: "+49", perMinute: "0.012", description: "Germany" },
        { prefix: "+4930", perMinute: "0.01", description: 'Berlin, "city"' },
      ],
      mistakes: [],
    });
  });

  test("may name its columns, have them in any order, and use continental separators", () => {
    const list = "\uFEFFDestination;Interval;Dial Code;Rate\r\nGermany mobile;60/60;49 15;0,05\r\n";
    expect(readPriceList(list).rates).toEqual([{ prefix: "+4915", perMinute: "0.05", description: "Germany mobile" }]);
  });

  test("with mistakes reports their lines, and keeps the rest", () => {
    const { rates, mistakes } = readPriceList("+49,0.01\nhello,1\n+44,-1\n+49,0.02\n");
    expect(rates).toHaveLength(1);
    expect(mistakes).toEqual([
      "Line 2: “hello” is not a prefix.",
      "Line 3: “-1” is not a price in USD with at most six decimals.",
      "Line 4: +49 is listed twice.",
    ]);
  });

  test("full of mistakes does not fill the screen with them", () => {
    const { mistakes } = readPriceList(Array.from({ length: 40 }, () => "x,y").join("\n"));
    expect(mistakes).toHaveLength(6);
    expect(mistakes.at(-1)).toBe("And 35 more.");
  });

  test("that is empty contains nothing", () => expect(readPriceList(" \n")).toEqual({ rates: [], mistakes: [] }));
});
