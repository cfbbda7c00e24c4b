import { AppError } from "@parley/contract/errors";
import { afterAll, expect, test } from "vitest";
import { createPasswordJudge, refuseGuessablePassword } from "./password-judge.ts";

const judge = createPasswordJudge();
afterAll(() => judge.close());

const ADA = { email: "ada.lovelace@example.com", accountName: "Analytical Engines" };

/** Why a password is refused, or null when it is not. */
async function refusalOf(password: string, owner: { email: string | null; accountName: string | null } = ADA) {
  try {
    await refuseGuessablePassword(judge, "password", password, owner);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === "validation_failed" && error.param === "password")
      return error.message;
    throw error;
  }
}

const WORDS = ["password", "welcome", "letmein", "dragon", "sunshine", "football", "summer", "qwerty", "michael"];
const LOOKALIKES: Readonly<Record<string, string>> = { a: "@", e: "3", i: "1", o: "0", s: "$" };
const DISGUISES: Readonly<Record<string, (word: string) => string>> = {
  plain: (word) => word,
  capitalized: (word) => word.charAt(0).toUpperCase() + word.slice(1),
  "in lookalikes": (word) => [...word].map((char) => LOOKALIKES[char] ?? char).join(""),
  backwards: (word) => [...word].reverse().join(""),
};
const TAILS = ["2024!", "!2024", "2019!!", "123456", "!!!!!!", "1985#", "_1234"];

test.each(Object.entries(DISGUISES))(
  "a well-known word stays guessable %s, with a year, digits or signs behind it",
  async (_, disguise) => {
    const passwords = WORDS.flatMap((word) => TAILS.map((tail) => (disguise(word) + tail).padEnd(12, "!")));
    const accepted: string[] = [];
    for (const password of passwords) if (!(await judge.findWeakness(password, []))) accepted.push(password);
    expect(accepted).toEqual([]);
  },
  60_000,
);

test.each([
  "P@ssw0rd2024!",
  "W3lcome2024!!",
  "L3tmein!2024",
  "123456789012",
  "098765432109",
  "qwertyuiop12",
  "qwertzuiop12!",
  "azertyuiop12!",
  "1qaz2wsx3edc",
  "!QAZ2wsx#EDC4rfv",
  "zaq12wsxcde3",
  "asdfghjkl;'#",
  "letmein-please",
  "Admin@123456",
  "Passwort2024!",
  "M0tdepasse2024",
  "Contraseña2024",
  "aaaaaaaaaaaa",
  "abcabcabcabc",
  "passwordpassword",
  "abcdefghijkl",
  "14/07/1985-1985",
  "Parley2024!!",
])("the password %s is refused with a reason and a way out", async (password) => {
  expect(await refusalOf(password)).toMatch(/^password is too easy to guess: it .+\. Use four or more unrelated words/);
});

test("the reason names what the password is made of", async () => {
  expect(await refusalOf("W3lcome2024!!")).toContain(
    "it is made of a common password with lookalike characters, a year and repeated characters.",
  );
});

test.each([
  "ada.lovelace@example.com",
  "lovelace-1234",
  "Ada.Lovelace1!",
  "L0vel@ce2024!",
  "example.com1234",
  "AnalyticalEngines1",
])("a password made of one's own address or name is refused: %s", async (password) => {
  expect(await refusalOf(password)).toContain("your e-mail address or name");
});

test.each([
  "correct horse battery staple",
  "tr0ub4dor-and-3-marmots",
  "mF7#kq2!vB9z",
  "gurke tisch wolke",
  "пароль-и-ещё-слова",
  "my cat sleeps at noon",
  "lovelace-1843-engine",
  "Zq7!fT2m%Lr9x@Bd4v",
])("a password of one's own is accepted: %s", async (password) => {
  expect(await refusalOf(password, { email: null, accountName: null })).toBeNull();
});

test("a long password is judged by how it begins, so that its length costs no time", async () => {
  expect(await refusalOf("password".repeat(16))).not.toBeNull();
  expect(await refusalOf("the walrus and the carpenter were walking close at hand ".repeat(2))).toBeNull();
});

test("when too many passwords wait to be judged the next request is asked to retry later", async () => {
  const first = Array.from({ length: 50 }, () => judge.findWeakness("gurke tisch wolke", []));
  await expect(judge.findWeakness("gurke tisch wolke", [])).rejects.toMatchObject({
    code: "unavailable",
    retryAfterSeconds: 2,
  });
  expect(await Promise.all(first)).toEqual(first.map(() => null));
});

test("judging passwords does not block the process", async () => {
  const order: string[] = [];
  const judged = judge.findWeakness("4!0+51|@37$".repeat(6), []).then(() => order.push("judged"));
  await new Promise<void>((resolve) => setImmediate(resolve));
  order.push("answered another request");
  await judged;
  expect(order).toEqual(["answered another request", "judged"]);
});

test("after it was closed it judges again", async () => {
  await judge.close();
  expect(await refusalOf("password1234")).not.toBeNull();
});
