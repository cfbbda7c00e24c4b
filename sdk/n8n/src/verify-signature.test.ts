import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findForgery } from "./verify-signature.ts";

interface Vector {
  readonly name: string;
  readonly accepted: boolean;
  readonly secrets: readonly string[];
  readonly nowSeconds: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

// Those that the SDKs pass too.
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, "../../webhook-vectors.json"), "utf8")) as Vector[];

test.each(vectors)("$name: $accepted", ({ accepted, body, headers, secrets, nowSeconds }) => {
  // As Node hands them over.
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const forgeries = secrets.map((secret) => findForgery(Buffer.from(body), lower, secret, nowSeconds * 1000));
  expect(forgeries.includes(null)).toBe(accepted);
});

test("a trigger without a secret accepts nothing", () => {
  const [vector] = vectors;
  if (!vector) throw new Error("no vectors");
  const { body, headers, nowSeconds } = vector;
  expect(findForgery(Buffer.from(body), headers, "", nowSeconds * 1000)).toBe(
    "The secret of the subscription is missing.",
  );
});
