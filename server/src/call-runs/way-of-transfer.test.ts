import { expect, test } from "vitest";
import { wayOfTransfer } from "./way-of-transfer.ts";

test("a call that costs nothing is passed on as its agent wants", () => {
  expect((["refer", "bridge", "auto"] as const).map((how) => wayOfTransfer("test", how))).toEqual([
    "refer",
    "bridge",
    "auto",
  ]);
});

test("a call that is charged never opens a second connection that nobody pays for", () => {
  expect((["refer", "bridge", "auto"] as const).map((how) => wayOfTransfer("live", how))).toEqual([
    "refer",
    null,
    "refer",
  ]);
});
