import { expect, test } from "vitest";
import { createStreamSlots } from "./stream-slots.ts";

test("an account has a limit of open streams, independent of other accounts", () => {
  const slots = createStreamSlots(2);
  const first = slots.take("acc_1");
  slots.take("acc_1");
  expect(() => slots.take("acc_1")).toThrow("close some");
  slots.take("acc_2");
  first();
  first();
  slots.take("acc_1");
  expect(() => slots.take("acc_1")).toThrow("close some");
});
