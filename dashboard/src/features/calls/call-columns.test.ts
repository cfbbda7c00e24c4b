import { expect, test } from "vitest";
import { CALL_COLUMNS, nextOrder, readLayout } from "./call-columns.ts";

const column = (id: string) => {
  const found = CALL_COLUMNS.find((one) => one.id === id);
  if (!found) throw new Error(`no column ${id}`);
  return found;
};

test("columns are shown in the order of the table, whatever order they were chosen in", () => {
  const { columns } = readLayout(JSON.stringify({ columns: ["cost", "gone", "time"], density: "compact" }));
  expect(columns).toEqual(["time", "cost"]);
});

test.each([null, "", "{", "[]", '{"columns": 7}'])("a layout that cannot be read is the usual one: %s", (stored) => {
  expect(readLayout(stored)).toMatchObject({ density: "comfortable" });
  expect(readLayout(stored).columns.length).toBeGreaterThan(3);
});

test("a second click on a heading turns the order around", () => {
  expect(nextOrder(column("duration"), undefined)).toBe("-durationSeconds");
  expect(nextOrder(column("duration"), "-durationSeconds")).toBe("durationSeconds");
  expect(nextOrder(column("time"), undefined)).toBe("createdAt");
  expect(nextOrder(column("time"), "-cost")).toBeUndefined();
});
