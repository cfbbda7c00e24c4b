import { expect, test } from "vitest";
import { findNames, readName } from "./read-name.ts";

test.each([
  ["Alex", "Alex"],
  ["Yes, this is mary-jane o'neil speaking", "Mary-Jane O'Neil"],
  ["Call me Al, please", "Al"],
  ["you can put Miller", "Miller"],
  ["Put it under Thompson please", "Thompson"],
  ["Just put Bob.", "Bob"],
  ["Put Nora Quist on it.", "Nora Quist"],
  ["make it out to mr and mrs patel", "Mr and Mrs Patel"],
  ["that would be Mr Lee", "Mr Lee"],
  ["Dr. Amelia Hart.", "Dr Amelia Hart"],
  ["Ana de la Cruz", "Ana de la Cruz"],
  ["jan van der berg", "Jan van der Berg"],
  ["You're speaking to Diane Fox.", "Diane Fox"],
  ["It should be in my husband's name, Robert Kane.", "Robert Kane"],
  ["my wife's name is Maria Lopez", "Maria Lopez"],
  ["on the account it says Foster", "Foster"],
  ["I go by Liz, but on my passport it's Elizabeth Moss.", "Elizabeth Moss"],
  ["In the name of Garcia and Sons", "Garcia and Sons"],
  ["write Lena Maier", "Lena Maier"],
  ["for Oscar Nilsen, please", "Oscar Nilsen"],
  ["uh, Kowalski", "Kowalski"],
  ["omar haddad from brooklyn", "Omar Haddad"],
  ["Ines Silva, and I'd need a copy.", "Ines Silva"],
  ["Joseph, Joe for short", "Joseph"],
  ["Oh, um, Rebecca.", "Rebecca"],
  ["It's for my daughter Sophie.", "Sophie"],
  ["my wife is called Beatriz", "Beatriz"],
  ["My name? It's Dolores Haze.", "Dolores Haze"],
  ["will smith", "Will Smith"],
  ["My name is Will", "Will"],
])("in %j the name is %s", (text, name) => {
  expect(readName(text)).toEqual({ name, isSure: true });
});

test.each([
  ["It's Smith, S M Y T H.", "Smyth"],
  ["My name is Jon Smith, that's J O N", "Jon Smith"],
  ["it's Jo, J O", "Jo"],
  ["M as in Mike, I L L E R", "Miller"],
  ["Ivan Petrov, that's P E T R O V", "Ivan Petrov"],
  ["under Rossi, R O double S I", "Rossi"],
  ["Katherine with a K", "Katherine"],
  ["Sara without an h", "Sara"],
  ["it's zoe with two dots on the e", "Zoe"],
])("what is spelled in %j is written so: %s", (text, name) => {
  expect(readName(text)).toEqual({ name, isSure: true });
});

test("a letter that the name does not have is a reason to ask", () => {
  expect(readName("Katherine with a C")).toEqual({ name: "Katherine", isSure: false });
});

test("what is said without a pause after a no is a reason to ask", () => {
  expect(readName("no falls")).toEqual({ name: "Falls", isSure: false });
});

test("a word that is not written like a name is a reason to ask", () => {
  expect(readName("It's complicated")).toEqual({ name: "Complicated", isSure: false });
});

test.each([
  ["my surname's O'Brien, first name Ann", "Ann O'Brien"],
  ["First name Peter, last name Walsh.", "Peter Walsh"],
  ["The name's Lindgren, Astrid Lindgren.", "Astrid Lindgren"],
  ["Priya. Priya Nair.", "Priya Nair"],
])("the pieces of %j are put together: %s", (text, name) => {
  expect(readName(text)?.name).toBe(name);
});

test.each([
  ["Anna Beck. No, sorry, Hannah Beck.", "Hannah Beck"],
  ["ann beck i mean anne baker", "Anne Baker"],
  ["derrick no erik, erik sand", "Erik Sand"],
  ["not Karen, Carla", "Carla"],
  ["Karen, I mean, Carla", "Carla"],
  ["Tessa, sorry", "Tessa"],
])("what is corrected in %j: %s", (text, name) => {
  expect(readName(text)?.name).toBe(name);
});

test.each([
  "",
  "I don't want to tell you",
  "Why do you want to know that?",
  "this is she",
  "Speaking.",
  "I'd rather not say",
  "None of your business.",
  "it's mrs",
  "the name of uh",
  "Lovely weather today",
  "I'm at work",
  "this is a bad time",
  "Hold on, there's somebody at the door.",
  "the same name as before",
  "Not my name, please.",
  "just the first name is fine isn't it",
  "ask my wife",
  "Tuesday",
  "you should have it on file",
  "are you a robot",
  "yes",
  "She'll not be wanting it",
  "that'd be perfect",
  "I'm ready",
  "doubtful",
  "it's blocked",
  "Ukrainian please",
  "for heaven's sake",
])("%j names no one", (text) => {
  expect(readName(text)).toBeNull();
});

test.each([
  ["Not me, Frank will do it", ["Frank"]],
  ["It's Maria de la Cruz, and my husband is Tom.", ["Maria de la Cruz", "Tom"]],
  ["That's Dr. Amelia Hart", ["Amelia Hart"]],
  ["I think Mr Lee signed", ["Mr Lee"]],
  ["Yes. I'll ask Siobhan O'Brien's daughter", ["Siobhan O'Brien"]],
  ["Well, I don't know.", []],
  ["frank will do it", []],
  ["Jo, no, Jo Baker, not Jo", ["Jo", "Jo Baker"]],
])("everyone who is named in %j", (text, names) => {
  expect(findNames(text).map(({ name }) => name)).toEqual(names);
});
