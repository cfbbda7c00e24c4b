import { expect, test } from "vitest";
import { explainDisabling, noticeMail } from "./notices.ts";

const about = { accountId: "acc_1", endpoint: { id: "whk_1", url: "https://app.example/events" } };

test("owners of an endpoint that fails for a day are notified which one, and that nothing is lost", () => {
  const { to, subject, text } = noticeMail("ada@example.com", { ...about, kind: "failing" });
  expect([to, subject]).toEqual(["ada@example.com", "A webhook endpoint has been failing for a day"]);
  expect(text).toMatch(/whk_1 at https:\/\/app\.example\/events/);
  expect(text).toMatch(/90 days/);
});

test.each(["gone", "failing"] as const)("owners of an endpoint that was disabled as %s are notified why", (reason) => {
  const explanation = explainDisabling(reason);
  const { text } = noticeMail("ada@example.com", { ...about, kind: "disabled", reason, explanation });
  expect(text).toContain(explanation);
  expect(text).toContain("replay");
});
