import { expect, test } from "vitest";
import { readSettings } from "./read-settings.ts";

const read = (environment: Record<string, string>) => readSettings(environment, "/nowhere").bucket;

test("without a bucket recordings stay in the data folder", () => {
  expect(read({})).toBeNull();
});

test("a bucket of Amazon's needs its name only; one elsewhere is named in the path", () => {
  expect(read({ PARLEY_S3_BUCKET: "parley" })).toEqual({
    bucket: "parley",
    endpoint: null,
    region: "us-east-1",
    prefix: "recordings/",
    credentials: null,
    isPathStyle: false,
  });
  const elsewhere = { PARLEY_S3_BUCKET: "parley", PARLEY_S3_ENDPOINT: "http://127.0.0.1:9000" };
  expect(read(elsewhere)).toMatchObject({ endpoint: "http://127.0.0.1:9000", isPathStyle: true });
  expect(read({ ...elsewhere, PARLEY_S3_PATH_STYLE: "off" })?.isPathStyle).toBe(false);
});

test.each([
  [{ PARLEY_S3_BUCKET: "parley", PARLEY_S3_ACCESS_KEY_ID: "AKID" }, "PARLEY_S3_SECRET_ACCESS_KEY"],
  [{ PARLEY_S3_ENDPOINT: "http://127.0.0.1:9000" }, "PARLEY_S3_BUCKET"],
  [{ PARLEY_S3_BUCKET: "Not A Bucket" }, "PARLEY_S3_BUCKET"],
  [{ PARLEY_S3_BUCKET: "parley", PARLEY_S3_PREFIX: "no-slash" }, "PARLEY_S3_PREFIX"],
])("half a store is refused at the start: %j", (environment, named) => {
  expect(() => read(environment)).toThrow(named);
});
