import { expect, test } from "vitest";
import { soakInProcess } from "./soak-process.ts";

test("after 1,000 legs of every case each leg has ended as it should and nothing of them is held", async () => {
  const { code, output } = await soakInProcess("--legs", "1000");
  console.log(output);
  expect(output).toContain("soak: 1000 legs");
  expect(code).toBe(0);
}, 180_000);
