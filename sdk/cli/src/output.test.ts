import { expect, it } from "vitest";
import { facts, plain, table } from "./output.ts";

it("aligns columns by what is seen of their cells, under capital headings", () => {
  const rows = [
    ["call_1", "Zoë \u{1f4de}", 3],
    ["call_22", null, 12],
  ];
  expect(table(["id", "name", "turns"], rows)).toBe(
    ["ID       NAME   TURNS", "call_1   Zoë \u{1f4de}  3", "call_22  -      12"].join("\n"),
  );
  expect(
    facts([
      ["id", "call_1"],
      ["outcome", null],
      ["duration", 3],
    ]),
  ).toBe("id        call_1\nduration  3");
});

it("shows nothing that drives the terminal or turns the direction of writing", () => {
  const words = "yes\u001b[31m\u0007\u009b2J\r\n\u202eno\u2066\u2028end\u200b.";
  expect(plain(words)).toBe("yes [31m 2J no end .");
  expect(table(["said"], [[words]]).split("\n")).toHaveLength(2);
});
