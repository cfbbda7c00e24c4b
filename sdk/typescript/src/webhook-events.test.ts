import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WebhookVerificationError } from "./errors.ts";
import { verifyWebhook } from "./webhook-events.ts";

interface Vector {
  readonly name: string;
  readonly accepted: boolean;
  readonly secrets: readonly string[];
  readonly nowSeconds: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

// Signed with the reference implementation of Standard Webhooks; the Python SDK passes the same.
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, "../../webhook-vectors.json"), "utf8")) as Vector[];

test.each(vectors)("$name: $accepted", async ({ accepted, body, headers, secrets, nowSeconds }) => {
  const [first = ""] = secrets;
  const options = { nowMs: nowSeconds * 1000 };
  for (const given of [headers, new Headers(headers)]) {
    for (const bytes of [body, new TextEncoder().encode(body)]) {
      const verified = verifyWebhook(bytes, given, secrets.length === 1 ? first : secrets, options);
      if (accepted) expect(await verified).toEqual(JSON.parse(body));
      else await expect(verified).rejects.toBeInstanceOf(WebhookVerificationError);
    }
  }
});
