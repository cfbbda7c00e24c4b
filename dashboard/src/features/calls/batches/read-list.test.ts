import { expect, test } from "vitest";
import { guessUses, readList, toRows } from "./read-list.ts";

const read = (text: string) => {
  const result = readList(text);
  if (!result.ok) throw new Error(result.problem);
  return result.list;
};
const rowsOf = (text: string, variables: string[] = []) => {
  const list = read(text);
  return toRows(list, guessUses(list, variables));
};

test("a list with names maps numbers, variables and everything else by itself", () => {
  expect(rowsOf('Phone,First name,Order\n"+1 (555) 010-0001",Ada,4711', ["first_name"])).toEqual([
    { phoneNumber: "+15550100001", variables: { first_name: "Ada" }, metadata: { Order: "4711" } },
  ]);
});

test.each([
  ["semicolons", "tel;first_name\n+15550100001;Ada"],
  ["tabs, as pasted from a spreadsheet", "tel\tfirst_name\n+15550100001\tAda"],
  ["a byte order mark and empty lines", "\uFEFFtel,first_name\r\n\r\n+15550100001,Ada\r\n\r\n"],
])("a list with %s is read", (_, text) => {
  expect(rowsOf(text, ["first_name"])).toMatchObject([
    { phoneNumber: "+15550100001", variables: { first_name: "Ada" } },
  ]);
});

test("a list of numbers alone needs no header", () => {
  expect(rowsOf("+15550100001\n0049 30 5550 1000").map(({ phoneNumber }) => phoneNumber)).toEqual([
    "+15550100001",
    "+493055501000",
  ]);
});

test("a comma within quotation marks belongs to the cell, and empty cells set nothing", () => {
  expect(rowsOf('phone,customer,order\n+15550100001,"Müller, Söhne",')).toMatchObject([
    { metadata: { customer: "Müller, Söhne" }, variables: {} },
  ]);
});

test.each([
  ["", "empty"],
  ["phone,name", "no numbers"],
  ['phone,name\n+15550100001,"Ada', "quotation mark"],
  [Array.from({ length: 1001 }, (_, n) => `+1555${1_000_000 + n}`).join("\n"), "1,001 rows"],
])("a list that cannot be called is refused with the reason", (text, words) => {
  expect(readList(text)).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
});
