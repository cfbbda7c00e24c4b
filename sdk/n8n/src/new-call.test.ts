import { NewCall } from "@parley/contract/calls";
import { describe, expect, test } from "vitest";
import { FieldError, idempotencyKeyOf, newCallOf } from "./new-call.ts";

const FIELDS = {
  phoneNumber: " +15550100001 ",
  agentId: "agt_01k8m3v9zq4t6w8y0a2c4e6g8j",
  variables: {},
  additionalFields: {},
};

describe("the body of a new call", () => {
  test("has only what was filled in", () => {
    const additionalFields = { metadata: "{}", simulation: "", engine: "", from: "", scheduledAt: "" };
    expect(newCallOf({ ...FIELDS, additionalFields })).toEqual({
      phoneNumber: "+15550100001",
      agentId: FIELDS.agentId,
    });
  });

  test("is what the API accepts, with every field", () => {
    const body = newCallOf({
      ...FIELDS,
      variables: {
        variable: [
          { name: "first_name", value: "Ada" },
          { name: "amount", value: 12 },
        ],
      },
      additionalFields: {
        agentVersion: "3",
        callingHours: "fail",
        from: "+15550100100",
        engine: "local",
        idempotencyKey: "order-7",
        maxDurationSeconds: 120,
        metadata: '{"order":"7"}',
        record: false,
        ringTimeoutSeconds: 20,
        scheduledAt: "2027-01-31T10:00:00+01:00",
        simulation: { answerAfterMs: 0 },
      },
    });
    expect(NewCall.safeParse(body).error).toBe(undefined);
    expect(body).toMatchObject({
      agentVersion: 3,
      variables: { first_name: "Ada", amount: "12" },
      metadata: { order: "7" },
      record: false,
      scheduledAt: "2027-01-31T09:00:00.000Z",
    });
    expect(body).not.toHaveProperty("idempotencyKey");
    expect(newCallOf({ ...FIELDS, additionalFields: { agentVersion: "draft" } })).toMatchObject({
      agentVersion: "draft",
    });
  });

  test.each(["{", "[]", "7"])("is refused with %s as metadata", (metadata) => {
    expect(() => newCallOf({ ...FIELDS, additionalFields: { metadata } })).toThrow(FieldError);
  });
});

test("a retry has the same idempotency key; another execution, node, round, item or number has another", () => {
  const parts = { executionId: "1", nodeId: "a", runIndex: 0, itemIndex: 0 };
  const body = { phoneNumber: "+15550100001" };
  const others = [{ executionId: "2" }, { nodeId: "b" }, { runIndex: 1 }, { itemIndex: 1 }];
  const keys = [
    ...others.map((other) => idempotencyKeyOf({ ...parts, ...other }, body)),
    idempotencyKeyOf(parts, { phoneNumber: "+15550100002" }),
    idempotencyKeyOf(parts, body),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.at(-1)).toBe(idempotencyKeyOf({ ...parts }, { ...body }));
  expect(keys.at(-1)).toMatch(/^n8n-[0-9a-f]{40}$/);
});
