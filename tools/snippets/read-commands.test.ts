import { expect, test } from "vitest";
import { readCommands } from "./read-commands.ts";

const wordsOf = (script: string) => readCommands(script).map(({ words }) => words);

test("a command goes on after a backslash at the end of its line, and its quotes are removed", () => {
  expect(wordsOf(`curl -s "$BASE/calls" \\\n  -d '{"a": "b"}'\nls`)).toEqual([
    ["curl", "-s", "$BASE/calls", "-d", '{"a": "b"}'],
    ["ls"],
  ]);
});

test("quoted and unquoted parts are one word", () => {
  expect(wordsOf(`curl -d '{"agentId":"'$AGENT'"}'`)).toEqual([["curl", "-d", '{"agentId":"$AGENT"}']]);
  expect(wordsOf('curl -d "{\\"a\\": \\"$B\\"}"')).toEqual([["curl", "-d", '{"a": "$B"}']]);
});

test("comments are no commands, and a number sign inside a word begins none", () => {
  expect(wordsOf("# all\nls a#b   # here\n")).toEqual([["ls", "a#b"]]);
});

test("commands in pipes, lists, groups and substitutions are found", () => {
  expect(wordsOf("(cd x && ls) | jq .\nKEY=$(npm run keys)")).toEqual([
    ["cd", "x"],
    ["ls"],
    ["jq", "."],
    ["npm", "run", "keys"],
    [],
  ]);
});

test("assignments are apart from the words of the command", () => {
  const [first, second] = readCommands("A=1 B='two words' run x\nPARLEY_PORT=3000   # a setting");
  expect([...(first?.assignments ?? [])]).toEqual([
    ["A", "1"],
    ["B", "two words"],
  ]);
  expect(first?.words).toEqual(["run", "x"]);
  expect([...(second?.assignments ?? []), ...(second?.words ?? [])]).toEqual([["PARLEY_PORT", "3000"]]);
});

test("a here-document is the input of its command", () => {
  const [cat, next] = readCommands("cat > agent.json <<'END'\n{ \"a\": 1 }\nEND\ncurl -d @agent.json");
  expect(cat).toMatchObject({ words: ["cat"], output: "agent.json", input: '{ "a": 1 }\n' });
  expect(next?.words).toEqual(["curl", "-d", "@agent.json"]);
});
