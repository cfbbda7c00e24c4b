import { expect, test } from "vitest";
import { apiText } from "./text.ts";

test.each([
  [
    { param: "email", code: "taken", message: "email cannot be used for a new member here." },
    "There is already an account with this email. Sign in, or use another email.",
  ],
  [
    { param: "phoneNumber", code: "not_e164", message: "phoneNumber must be a plus sign followed by 7 to 15 digits." },
    "Enter the number with its country code, such as +1 555 010 0001.",
  ],
  [{ param: "name", code: "taken", message: "name is used by another trunk." }, "name is used by another trunk."],
])("what the service writes for programs is worded for people: %o", (detail, worded) => {
  expect(apiText.wordFieldError(detail)).toBe(worded);
});
