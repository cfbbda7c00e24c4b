import { expect, test } from "vitest";
import { soakInProcess } from "./soak-process.ts";

test("after 200 legs of every case each leg has ended as it should and nothing of them is held", async () => {
  const { code, output } = await soakInProcess("--legs", "200");
  console.log(output);
  expect(output).toContain("soak: 200 legs");
  expect(code).toBe(0);
}, 180_000);
