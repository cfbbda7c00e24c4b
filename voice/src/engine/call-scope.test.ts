import { expect, test } from "vitest";
import { CallScope } from "./call-scope.ts";

test("everything is released in reverse order, even if one release fails", () => {
  const failures: unknown[] = [];
  const released: string[] = [];
  const scope = new CallScope((error) => failures.push(error));
  scope.hold(() => released.push("first"));
  scope.hold(() => {
    throw new Error("stuck");
  });
  scope.hold(() => released.push("last"));
  scope.close();
  expect(released).toEqual(["last", "first"]);
  expect(failures).toMatchObject([{ message: "stuck" }]);
});

test("what is added after the end is released immediately, and nothing twice", () => {
  const released: string[] = [];
  const scope = new CallScope(() => expect.fail("nothing fails here"));
  scope.hold(() => released.push("early"));
  scope.close();
  scope.hold(() => released.push("late"));
  scope.close();
  expect(released).toEqual(["early", "late"]);
});
