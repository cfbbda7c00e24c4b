import { expect, test } from "vitest";
import { describeRefusal } from "./refusal.ts";

const REPLY = {
  success: false,
  error: {
    code: "validation_failed",
    message: "The request is invalid.",
    details: [{ param: "phoneNumber", code: "invalid", message: "must be a phone number" }],
    requestId: "req_1",
  },
};

test.each([REPLY, JSON.stringify(REPLY)])("a refusal is told in the words of the service, field by field", (body) => {
  expect(describeRefusal(422, body)).toMatchObject({
    message: "The request is invalid.",
    description: "phoneNumber: must be a phone number\nvalidation_failed, request req_1",
  });
});

test.each(["<html>Bad gateway</html>", "", null, { error: "no" }])(
  "another server is not taken for Parley: %j",
  (body) => {
    expect(describeRefusal(502, body).message).toBe("HTTP 502, not from Parley; check the base URL");
  },
);
