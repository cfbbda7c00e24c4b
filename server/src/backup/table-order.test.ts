import { expect, test } from "vitest";
import { type ForeignKey, findForwardKeys, orderTables } from "./table-order.ts";

const key = (table: string, references: string): ForeignKey => ({ name: `${table}_${references}`, table, references });

test("a table comes after every table it refers to", () => {
  const keys = [key("calls", "agents"), key("agents", "accounts"), key("calls", "accounts"), key("runs", "calls")];
  const order = orderTables(["calls", "accounts", "rates", "agents", "runs"], keys);
  expect(order).toEqual(["accounts", "agents", "calls", "rates", "runs"]);
  expect(findForwardKeys(order, keys)).toEqual([]);
});

test("of a circle only the key that closes it is left over", () => {
  const keys = [key("agents", "versions"), key("versions", "agents"), key("calls", "versions"), key("calls", "calls")];
  const order = orderTables(["agents", "versions", "calls"], keys);
  expect(order).toHaveLength(3);
  expect(order.at(-1)).toBe("calls");
  expect(findForwardKeys(order, keys)).toHaveLength(1);
});
