import { AppError } from "@parley/contract/errors";
import { expect, test } from "vitest";
import { refuseGuessablePassword } from "./password-rules.ts";

function isRefused(password: string, email: string | null = "ada.lovelace@example.com"): boolean {
  try {
    refuseGuessablePassword("password", password, email);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === "validation_failed" && error.param === "password") return true;
    throw error;
  }
}

test.each([
  "password1234",
  "Password123!",
  "P@ssw0rd1234",
  "passwordpassword",
  "123456789012",
  "098765432109",
  "qwertyuiop12",
  "1qaz2wsx3edc",
  "iloveyou2024",
  "welcome12345",
  "letmein-please",
  "Admin@123456",
  "aaaaaaaaaaaa",
  "abcabcabcabc",
  "abcdefghijkl",
  "changeme1234",
  "Summer2026!!",
  "football1234",
])("the well-known password %s is refused", (password) => {
  expect(isRefused(password)).toBe(true);
});

test.each(["ada.lovelace@example.com", "lovelace-1234", "Ada.Lovelace1!", "example.com1234"])(
  "a password made of one's own e-mail address is refused: %s",
  (password) => expect(isRefused(password)).toBe(true),
);

test.each([
  "correct horse battery staple",
  "tr0ub4dor-and-3-marmots",
  "mF7#kq2!vB9z",
  "839402718364",
  "gurke tisch wolke",
  "пароль-и-ещё-слова",
  "my cat sleeps at noon",
])("a password of one's own is accepted: %s", (password) => {
  expect(isRefused(password)).toBe(false);
});

test("a member without an e-mail is judged by the words alone", () => {
  expect(isRefused("password1234", null)).toBe(true);
  expect(isRefused("lovelace-1843-engine", null)).toBe(false);
});
