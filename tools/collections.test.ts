import { globSync } from "node:fs";
import { resolve } from "node:path";
import { ROUTES } from "@parley/contract/routes";
import { bruToJsonV2 } from "@usebruno/lang";
import postman from "postman-collection";
import { expect, test } from "vitest";
import { BRUNO_FOLDER, renderBruno } from "./collections/render-bruno.ts";
import { renderPostman } from "./collections/render-postman.ts";

const expected = ROUTES.filter(({ access, producesJson }) => access.by === "key_or_member" && producesJson)
  .map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`)
  .toSorted();
const collection = new postman.Collection(JSON.parse(renderPostman("0.1.0")));
const requests: postman.Item[] = [];
collection.forEachItem((item) => requests.push(item));

test("the Postman collection has every request that a key may send and that answers with JSON", () => {
  const shown = requests.map(({ request }) => `${request.method} ${request.url.getPath({ unresolved: true })}`);
  expect(shown.toSorted()).toEqual(expected);
});

test("Postman understands the address, the key and the bodies", () => {
  expect(collection.auth?.type).toBe("bearer");
  for (const { request } of requests) {
    expect(request.url.getHost()).toBe("{{baseUrl}}");
    const text = request.body?.raw;
    if (text !== undefined) expect(() => JSON.parse(text)).not.toThrow();
  }
});

test("Bruno reads the same requests with their bodies, and no file is left over from older ones", () => {
  const files = renderBruno("0.1.0");
  const isRequest = (path: string) => path.endsWith(".bru") && !/(?:collection|environments\/\w+)\.bru$/.test(path);
  const read = Object.entries(files).flatMap(([path, text]) => (isRequest(path) ? [bruToJsonV2(text)] : []));
  expect(
    read.map(({ http }) => `${http.method.toUpperCase()} ${http.url.replace("{{baseUrl}}", "")}`).toSorted(),
  ).toEqual(expected);
  const bodies = read.flatMap(({ body }) => body?.json ?? []);
  expect(bodies.length).toBeGreaterThan(15);
  for (const body of bodies) expect(() => JSON.parse(body)).not.toThrow();
  const root = resolve(import.meta.dirname, "..");
  const stored = globSync(`${BRUNO_FOLDER}/**/*.{bru,json}`, { cwd: root });
  expect(stored.toSorted()).toEqual(Object.keys(files).toSorted());
});
