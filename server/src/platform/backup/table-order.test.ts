import { expect, test } from "vitest";
import { orderTables } from "./backup-store.ts";

const key = (table: string, references: string) => ({ table, references });

test("a table comes after every table it refers to", () => {
  const keys = [key("calls", "agents"), key("agents", "accounts"), key("calls", "accounts"), key("runs", "calls")];
  const order = orderTables(["calls", "accounts", "rates", "agents", "runs"], keys);
  expect(order).toEqual(["accounts", "agents", "calls", "rates", "runs"]);
});

test("tables that refer to each other, or to themselves, still all come, before those that need them", () => {
  const keys = [key("agents", "versions"), key("versions", "agents"), key("calls", "versions"), key("calls", "calls")];
  const order = orderTables(["agents", "versions", "calls"], keys);
  expect(order.toSorted()).toEqual(["agents", "calls", "versions"]);
  expect(order.at(-1)).toBe("calls");
});
