import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toSpeech } from "./to-speech.ts";

/** Each line of a table: what is written, and what is heard. */
function saysEach(table: readonly (readonly [written: string, spoken: string])[], language = "en-US"): void {
  test.each(table)("%s", (written, spoken) => {
    expect(toSpeech(written, language)).toBe(spoken);
  });
}

describe("amounts of money", () => {
  saysEach([
    ["$5", "five dollars"],
    ["$1", "one dollar"],
    ["$1,234.56", "one thousand two hundred thirty-four dollars and fifty-six cents"],
    ["$0.99", "ninety-nine cents"],
    ["$0.01", "one cent"],
    ["$12.5", "twelve fifty"],
    ["12.5 dollars", "twelve dollars and fifty cents"],
    ["0.5 euros", "fifty cents"],
    ["12 dollars", "twelve dollars"],
    ["12.5 million dollars", "twelve point five million dollars"],
    ["$1.5M", "one point five million dollars"],
    ["$3 million", "three million dollars"],
    ["$20k", "twenty thousand dollars"],
    ["-$5", "minus five dollars"],
    ["$10-20", "ten to twenty dollars"],
    ["$10 - $20", "ten to twenty dollars"],
    ["$9.99/mo", "nine ninety-nine per month"],
    ["5 USD", "five dollars"],
    ["EUR 7.10", "seven euros and ten cents"],
    ["5,50 €", "five euros and fifty cents"],
    ["1.234,50 €", "one thousand two hundred thirty-four euros and fifty cents"],
    ["€20", "twenty euros"],
    ["£3.01", "three pounds and one penny"],
    ["£2.50", "two pounds and fifty pence"],
    ["CA$4", "four Canadian dollars"],
    ["¥500", "five hundred yen"],
    ["I have $5. You too.", "I have five dollars. You too."],
  ]);
});

describe("American prices under a hundred dollars are said short", () => {
  saysEach([
    ["It costs $12.50.", "It costs twelve fifty."],
    ["How about $99.99?", "How about ninety-nine ninety-nine?"],
    ["a $24.95 upgrade", "a twenty-four ninety-five upgrade"],
    ["It's $12.05.", "It's twelve oh five."],
    ["It's $1.50.", "It's a dollar fifty."],
    ["a $1.50 fee", "a dollar fifty fee"],
    ["the $1.50 fee", "the dollar fifty fee"],
    ["$9.50-$12.50", "nine fifty to twelve fifty"],
    ["$9.50-12", "nine fifty to twelve dollars"],
    ["$10-$12.50", "ten dollars to twelve fifty"],
    ["$10.00-$20.00", "ten to twenty dollars"],
    ["$9.50 or $12", "nine fifty or twelve dollars"],
    ["You paid. It costs $12.50.", "You paid. It costs twelve fifty."],
  ]);
});

describe("other amounts are said in full", () => {
  saysEach([
    ["$12.00", "twelve dollars"],
    ["$0.75", "seventy-five cents"],
    ["$100.50", "one hundred dollars and fifty cents"],
    ["$1,250.50", "one thousand two hundred fifty dollars and fifty cents"],
    ["$9.05", "nine dollars and five cents"],
    ["-$12.50", "minus twelve dollars and fifty cents"],
    ["$12.5 million", "twelve point five million dollars"],
    ["$1.2k", "one point two thousand dollars"],
    ["US$12.50", "twelve dollars and fifty cents"],
    ["12.50 USD", "twelve dollars and fifty cents"],
    ["CA$12.50", "twelve Canadian dollars and fifty cents"],
    ["€12.50", "twelve euros and fifty cents"],
    ["€9.50-€12.50", "nine euros and fifty cents to twelve euros and fifty cents"],
    ["£12.50", "twelve pounds and fifty pence"],
    ["¥1250", "one thousand two hundred fifty yen"],
  ]);
});

describe("what is owed, paid or transferred is said in full, because it could be heard as thousands", () => {
  saysEach([
    ["Your balance of $12.50 is due.", "Your balance of twelve dollars and fifty cents is due."],
    ["You owe $12.50 and $3.75.", "You owe twelve dollars and fifty cents and three dollars and seventy-five cents."],
    ["We refunded $19.99.", "We refunded nineteen dollars and ninety-nine cents."],
    ["a payment of $45.10", "a payment of forty-five dollars and ten cents"],
  ]);
});

test("a price is not said like a time of day where one could be meant", () => {
  expect(toSpeech("It starts at $12.30 each.")).toBe("It starts at twelve dollars and thirty cents each.");
  expect(toSpeech("It starts at $24.50 each.")).toBe("It starts at twenty-four fifty each.");
});

test("outside America the currency is always named", () => {
  expect(toSpeech("It costs $12.50.", "en-GB")).toBe("It costs twelve dollars and fifty cents.");
  expect(toSpeech("It costs $12.50.", "en-AU")).toBe("It costs twelve dollars and fifty cents.");
});

describe("dates", () => {
  saysEach([
    ["2026-03-04", "March fourth, twenty twenty-six"],
    ["2026-11-15T09:30:00Z", "November fifteenth, twenty twenty-six at nine thirty A M U T C"],
    ["3/4/2026", "March fourth, twenty twenty-six"],
    ["25/12/2026", "December twenty-fifth, twenty twenty-six"],
    ["12/25/99", "December twenty-fifth, nineteen ninety-nine"],
    ["4.3.2026", "March fourth, twenty twenty-six"],
    ["March 4, 2026", "March fourth, twenty twenty-six"],
    ["Mar. 4th", "March fourth"],
    ["4 March 2026", "March fourth, twenty twenty-six"],
    ["the 4th of March", "March fourth"],
    ["May 2027", "May twenty twenty-seven"],
    ["due on 12/25", "due on December twenty-fifth"],
    ["by 3/4", "by March fourth"],
    ["Tue, Mar 4", "Tuesday, March fourth"],
    ["Closed in Jan. and Feb.", "Closed in January and February."],
    ["13/13/2026", "thirteen/thirteen/two thousand twenty-six"],
  ]);
});

describe("dates in Britain", () => {
  saysEach(
    [
      ["3/4/2026", "the third of April, twenty twenty-six"],
      ["March 4, 2026", "the fourth of March, twenty twenty-six"],
      ["2026-03-04", "the fourth of March, twenty twenty-six"],
      ["3/25/2026", "the twenty-fifth of March, twenty twenty-six"],
    ],
    "en-GB",
  );
});

describe("times", () => {
  saysEach([
    ["2:30", "two thirty"],
    ["2:30 PM", "two thirty P M"],
    ["14:30", "two thirty P M"],
    ["09:05", "nine oh five A M"],
    ["10:00", "ten o'clock"],
    ["3pm", "three P M"],
    ["12:00 pm", "noon"],
    ["12 a.m. today", "midnight today"],
    ["00:00", "midnight"],
    ["9am-5pm", "nine A M to five P M"],
    ["9-5pm", "nine to five P M"],
    ["09:00 - 17:30", "nine A M to five thirty P M"],
    ["at 5 p.m. We start", "at five P M. We start"],
    ["at 5 p.m. on Friday", "at five P M on Friday"],
    ["I am there at 5 am", "I am there at five A M"],
    ["25:00", "twenty-five:zero zero"],
  ]);
});

describe("durations and measures", () => {
  saysEach([
    ["2h30m", "two hours and thirty minutes"],
    ["1 hr 5 min", "one hour and five minutes"],
    ["PT1H30M", "one hour and thirty minutes"],
    ["90 min", "ninety minutes"],
    ["5 min. from here", "five minutes from here"],
    ["It took 5 min. We left.", "It took five minutes. We left."],
    ["1 km", "one kilometer"],
    ["5km", "five kilometers"],
    ["6 ft", "six feet"],
    ["60 mph", "sixty miles per hour"],
    ["72°F", "seventy-two degrees Fahrenheit"],
    ["-5 °C", "minus five degrees Celsius"],
    ["5-10 kg", "five to ten kilograms"],
    ["3.5%", "three point five percent"],
    ["1,200 sq ft", "one thousand two hundred square feet"],
    ["16 GB", "sixteen gigabytes"],
  ]);
});

describe("phone numbers", () => {
  saysEach([
    ["(415) 555-0100", "four one five, five five five, zero one zero zero"],
    ["415-555-0100", "four one five, five five five, zero one zero zero"],
    ["555-0100", "five five five, zero one zero zero"],
    ["+14155550100", "plus one, four one five, five five five, zero one zero zero"],
    ["+44 20 7946 0958", "plus four four, two zero, seven nine four six, zero nine five eight"],
    ["+442079460958", "plus four four, two zero seven, nine four six, zero nine five eight"],
    ["+353 1 234 5678", "plus three five three, one, two three four, five six seven eight"],
    ["415-555-0100 ext. 12", "four one five, five five five, zero one zero zero, extension one two"],
  ]);
});

describe("addresses of mail and web", () => {
  saysEach([
    ["john.smith@example.com", "john dot smith at example dot com"],
    ["j_doe99@mail.co.uk", "J underscore doe nine nine at mail dot co dot U K"],
    ["Write to ann@example.org.", "Write to ann at example dot org."],
    ["https://www.example.com/help/", "W W W dot example dot com slash help"],
    ["See example.com.", "See example dot com."],
    ["example.io/a-b", "example dot I O slash A dash B"],
  ]);
});

describe("abbreviations", () => {
  saysEach([
    ["Dr. Lee", "Doctor Lee"],
    ["42 Elm Dr.", "forty-two Elm Drive."],
    ["42 Elm Dr, Springfield", "forty-two Elm Drive, Springfield"],
    ["St. John", "Saint John"],
    ["on Main St. near here", "on Main Street near here"],
    ["12 St. James St.", "twelve Saint James Street."],
    ["Mr. and Mrs. Smith Jr.", "Mister and Missus Smith Junior."],
    ["e.g. this, i.e. that, etc.", "for example this, that is that, et cetera."],
    ["Smith & Sons Inc. is here", "Smith and Sons Incorporated is here"],
    ["AT&T", "AT and T"],
    ["No. 5", "number five"],
    ["no. It is", "no. It is"],
    ["a room w/ a view", "a room with a view"],
    ["your ID", "your I D"],
    ["the U.S. team", "the U S team"],
    ["~5 minutes", "about five minutes"],
    ["First – second", "First, second"],
  ]);
});

describe("numbers", () => {
  saysEach([
    ["12,345", "twelve thousand three hundred forty-five"],
    ["12345", "twelve thousand three hundred forty-five"],
    ["0.05", "zero point zero five"],
    ["-5", "minus five"],
    ["5-10", "five to ten"],
    ["1st and 22nd", "first and twenty-second"],
    ["1/2 cup", "one half cup"],
    ["3/4", "three quarters"],
    ["2 1/2", "two and a half"],
    ["24/7", "twenty-four seven"],
    ["5K", "five thousand"],
    ["in 1999", "in nineteen ninety-nine"],
    ["from 1999 to 2003", "from nineteen ninety-nine to two thousand three"],
    ["1999-2003", "nineteen ninety-nine to two thousand three"],
    ["since 2005 and 1500 people", "since two thousand five and one thousand five hundred people"],
    ["the 1990s and the '80s", "the nineteen nineties and the eighties"],
    ["Room 204", "Room two oh four"],
    ["1234 Elm St.", "twelve thirty-four Elm Street."],
    ["3 people", "three people"],
  ]);
});

describe("codes", () => {
  saysEach([
    ["A12-45", "A, one two, four five"],
    ["BX7Q2", "B X, seven, Q, two"],
    ["AB-1234", "A B, one two three four"],
    ["COVID-19", "COVID nineteen"],
    ["a 24-hour day", "a twenty-four-hour day"],
    ["5G and B2B", "five G and B two B"],
    ["v2.1", "version two point one"],
    ["Your code is 4821.", "Your code is four eight two one."],
    ["Account number 12", "Account number one two"],
    ["Order 12 pizzas", "Order twelve pizzas"],
    ["Order #12345", "Order number one two three, four five"],
    ["004417", "zero zero four, four one seven"],
    ["1234567", "one two three, four five six seven"],
    ["123-45-6789", "one two three, four five, six seven eight nine"],
    ["Flight BA 2490", "Flight BA two four nine zero"],
  ]);
});

test("written words are left unchanged", () => {
  const text = "Well, that's fine; I may march on Sunday (or not). Is it?";
  expect(toSpeech(text)).toBe(text);
});

test("an unsupported language is left unchanged", () => {
  expect(toSpeech("Es kostet 5 €.", "de-DE")).toBe("Es kostet 5 €.");
});

test("no digit is left for an engine to guess at, whatever was written", () => {
  const piece = fc.constantFrom(..."0123456789 .,:/-$€£%#+@ABCabc()'\n".split(""));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(toSpeech(pieces.join(""))).not.toMatch(/[0-9]/);
    }),
    { numRuns: 2_000, seed: 4 },
  );
});

test("converting converted text changes nothing", () => {
  const piece = fc.constantFrom(
    "$5.20",
    "3pm",
    "Dr. Lee",
    "A12-45",
    "5km",
    "2026-03-04",
    "in 1999",
    "a@b.com",
    "and",
    ",",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const spoken = toSpeech(pieces.join(" "));
      expect(toSpeech(spoken)).toBe(spoken);
    }),
    { numRuns: 500, seed: 4 },
  );
});

test.each([
  ["Mhm.", "Um hum."],
  ["Mm-hmm, I see.", "Um hum, I see."],
  ["Hmm, let me think.", "Hum, let me think."],
  ["hm", "hum"],
  ["Uh-huh.", "Uh-huh."],
  ["Uh, um, mmm.", "Uh, um, um."],
  ["Uhhh, ohh!", "Uh, oh!"],
  ["It is 5 mm thick.", "It is five millimeters thick."],
  ["The length in mm is here", "The length in mm is here"],
])("sounds of agreeing and thinking are said as words, and not spelled: %j", (written, spoken) => {
  expect(toSpeech(written)).toBe(spoken);
});
