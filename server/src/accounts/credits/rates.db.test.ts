import google from "google-libphonenumber";
import { getCountries, type PhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { fillRates, importRates, pricesOfRegion } from "./change-rates.ts";
import { findRate } from "./find-rate.ts";
import { listRouteRates } from "./rate-store.ts";

const TYPES = ["FIXED_LINE", "MOBILE", "TOLL_FREE", "UAN", "VOIP"] as const;

let database: TestDatabase;
let described: ReadonlyMap<string, string>;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  const rows = await database.db.selectFrom("rates").selectAll().execute();
  described = new Map(rows.map(({ prefix, description }) => [prefix, description]));
});
afterAll(() => database.close());

/** The numbers that the other library gives as examples and that are valid for ours as well. */
function examplesOf(region: string): PhoneNumber[] {
  const plan = google.PhoneNumberUtil.getInstance();
  return TYPES.flatMap((type) => {
    const example = plan.getExampleNumberForType(region, google.PhoneNumberType[type]);
    if (!example?.getNationalNumberOrDefault()) return [];
    const parsed = parsePhoneNumberFromString(plan.format(example, google.PhoneNumberFormat.E164));
    return parsed?.isValid() ? [parsed] : [];
  });
}

it("knows a price for every region of the numbering plan", () => {
  expect(getCountries().filter((region) => pricesOfRegion(region) === null)).toEqual([]);
  expect(getCountries().length).toBeGreaterThan(190);
});

it("prices an example of every kind of line in every region as its band says", async () => {
  const wrong: string[] = [];
  let looked = 0;
  for (const number of getCountries().flatMap(examplesOf)) {
    const { prefix, routePerMinuteMicros: micros } = await findRate(database.db, number.number, "local");
    const prices = number.country ? pricesOfRegion(number.country) : null;
    const type = number.getType();
    const wanted = type === "MOBILE" || type === "FIXED_LINE_OR_MOBILE" ? prices?.mobileMicros : prices?.fixedMicros;
    // Other lines may share their first digits with mobiles, and then cost as much.
    const isRight = type === "FIXED_LINE" || micros === wanted ? micros === wanted : micros === prices?.mobileMicros;
    if (!isRight || !described.get(prefix)?.startsWith(number.country ?? "-"))
      wrong.push(`${number.number} (${number.country} ${type}): ${prefix} ${described.get(prefix)} at ${micros}`);
    looked += 1;
  }
  expect(wrong).toEqual([]);
  expect(looked).toBeGreaterThan(700);
});

it.each([
  ["a number in Canada", "+14165550123", "CA"],
  ["a mobile in Jamaica", "+18762101234", "JM mobile"],
  ["a mobile in Jersey", "+447797712345", "JE mobile"],
  ["a mobile in Britain", "+447400123456", "GB mobile"],
  ["a mobile in Kazakhstan", "+77710009998", "KZ mobile"],
  ["a mobile in Russia", "+79161234567", "RU mobile"],
  ["the Vatican", "+390669812345", "VA fixed"],
])("distinguishes %s from others with its calling code", async (_, phoneNumber, description) => {
  const { prefix } = await findRate(database.db, phoneNumber, "local");
  expect(described.get(prefix)).toBe(description);
});

it("fills in rates that are missing and leaves an operator's own", async () => {
  await run(database.db, "delete from rates where prefix like '+44%'");
  await run(database.db, "insert into rates values ('+44', 777, 'mine')");
  const by = { accountId: null, actor: "operator" };
  expect(await fillRates(database.db, by)).toBeGreaterThan(10);
  expect(await fillRates(database.db, by)).toBe(0);
  const { routePerMinuteMicros } = await findRate(database.db, "+442071838750", "local");
  expect(routePerMinuteMicros).toBe(777n);
  expect((await findRate(database.db, "+447400123456", "local")).prefix).toBe("+447");
});

it("accepts a whole price list and returns how much of it was new", async () => {
  const by = { accountId: null, actor: "operator" };
  await run(database.db, "delete from rates where prefix like '+999%'");
  const list = (price: string) => [
    { prefix: "+9991", perMinute: price, description: "One" },
    { prefix: "+9992", perMinute: "0.02", description: "Two" },
  ];
  expect(await importRates(database.db, list("0.01"), by)).toEqual({ added: 2, changed: 0, unchanged: 0 });
  expect(await importRates(database.db, list("0.03"), by)).toEqual({ added: 0, changed: 1, unchanged: 1 });
  expect(await importRates(database.db, list("0.03"), by)).toEqual({ added: 0, changed: 0, unchanged: 2 });
  expect((await findRate(database.db, "+99912345678", "local")).routePerMinuteMicros).toBe(30_000n);
  // A change without effect is not audited.
  const entries = await run<{ data: unknown }>(
    database.db,
    "select data from audit_log where action = 'rate.imported' order by created_at",
  );
  expect(entries.map(({ data }) => data)).toEqual([
    { added: 2, changed: 0 },
    { added: 0, changed: 1 },
  ]);
});

it("finds rates by country and by what an operator called them", async () => {
  await run(database.db, "insert into rates values ('+99977', 1, 'Deep sea 50% off'), ('+99978', 1, 'DEEP space')");
  const find = async (filter: { country?: string; words?: string }) =>
    (await listRouteRates(database.db, "+", null, 500, filter)).map(({ description }) => description);
  expect(new Set(await find({ country: "DE" }))).toEqual(new Set(["DE fixed", "DE mobile"]));
  expect(await find({ words: "deep s" })).toEqual(["Deep sea 50% off", "DEEP space"]);
  expect(await find({ words: "50%" })).toEqual(["Deep sea 50% off"]);
  expect(await find({ country: "DE", words: "mobile" })).toContain("DE mobile");
});
