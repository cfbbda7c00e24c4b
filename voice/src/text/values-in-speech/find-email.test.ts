import fc from "fast-check";
import { expect, test } from "vitest";
import { addressWords } from "../to-speech/web-addresses.ts";
import { findEmail } from "./find-email.ts";

test.each([
  ["john dot smith at example dot com", "john.smith@example.com"],
  ["j o h n underscore d o e ninety nine at yahoo dot co dot uk", "john_doe99@yahoo.co.uk"],
  ["b as in bravo o b at g mail dot com", "bob@gmail.com"],
  ["anna dash lee plus news at mail dot example dot org", "anna-lee+news@mail.example.org"],
  ["double t l e e at example dot c o m", "ttlee@example.com"],
  ["J-O-H-N at gmail.com", "john@gmail.com"],
  ["John.Smith@Example.com", "john.smith@example.com"],
])("%j is %s", (text, value) => {
  expect(findEmail(text)).toEqual({ value, others: [], start: 0, end: text.length });
});

test.each([
  [
    "Sure, my e-mail is bob two four at outlook dot com, thanks.",
    "bob two four at outlook dot com",
    "bob24@outlook.com",
  ],
  ["You can write to sales at acme dot io.", "sales at acme dot io", "sales@acme.io"],
  ["Maria at example dot com or maria at work dot com", "Maria at example dot com", "maria@example.com"],
])("in %j it is in %j", (text, said, value) => {
  const found = findEmail(text);
  expect(found?.value).toBe(value);
  expect(text.slice(found?.start, found?.end)).toBe(said);
});

test("two names without anything between them may have a dot there", () => {
  expect(findEmail("my email is john smith at gmail dot com")).toMatchObject({
    value: "johnsmith@gmail.com",
    others: ["john.smith@gmail.com"],
  });
});

test.each(["I'm at home", "at example dot com", "look at that", "john at home", ""])("there is none in %j", (text) => {
  expect(findEmail(text)).toBeNull();
});

test("addresses are understood as they are said", () => {
  const name = fc.constantFrom("anna", "lee", "miller", "jo", "x", "info", "sales");
  const local = fc.tuple(name, fc.constantFrom(".", "_", "-", "+"), name, fc.constantFrom("", "7", "42"));
  const domain = fc.constantFrom("example.com", "mail.example.org", "acme.io", "some-shop.co.uk");
  fc.assert(
    fc.property(local, domain, ([first, sign, second, digits], host) => {
      const address = `${first}${sign}${second}${digits}@${host}`;
      expect(findEmail(`it's ${addressWords(address)}`)?.value).toBe(address);
    }),
    { numRuns: 500, seed: 7 },
  );
});
