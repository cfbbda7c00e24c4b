import { expect, test } from "vitest";
import { readDatabaseUrl } from "./database-url.ts";

test("one server is a list of one", () => {
  expect(readDatabaseUrl("postgresql://parley:x@db.example/parley?sslmode=require")).toEqual({
    servers: ["postgresql://parley:x@db.example/parley?sslmode=require"],
    target: null,
    where: "db.example:5432",
    database: "parley",
    role: "parley",
  });
});

test("several servers are listed as libpq does, each with the role, database and options", () => {
  const url = "postgres://u:p@db1:5432,[::1]:5433,db3/d?sslmode=require&target_session_attrs=read-write";
  expect(readDatabaseUrl(url)).toMatchObject({
    servers: [
      "postgres://u:p@db1:5432/d?sslmode=require&target_session_attrs=read-write",
      "postgres://u:p@[::1]:5433/d?sslmode=require&target_session_attrs=read-write",
      "postgres://u:p@db3/d?sslmode=require&target_session_attrs=read-write",
    ],
    target: "read-write",
    where: "db1:5432, [::1]:5433, db3:5432",
  });
});

test.each([
  "mysql://db/x",
  "postgres://db1:x,db2/d",
  "postgres://db1,,db2/d",
  "postgres://db1/d?target_session_attrs=fastest",
  "db1:5432",
])("what is not such a URL is refused: %s", (text) => {
  expect(readDatabaseUrl(text)).toBeNull();
});
