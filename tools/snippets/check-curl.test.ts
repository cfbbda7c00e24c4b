import { expect, test } from "vitest";
import { checkCurl } from "./check-curl.ts";

const none = new Map<string, string>();
const KEY = ["-H", "Authorization: Bearer $API_KEY"];
const JSON_BODY = ["-H", "Content-Type: application/json", "-d"];

test("a request that the API takes has no problems", () => {
  const body = '{"phoneNumber":"+15550100001","agentId":"agt_..."}';
  expect(checkCurl(["curl", "-sN", "$BASE/api/v1/calls", ...KEY, ...JSON_BODY, body], none)).toEqual([]);
  expect(checkCurl(["curl", "$BASE/api/v1/calls?limit=5", ...KEY], none)).toEqual([]);
});

test.each([
  ["a path that does not exist", ["$BASE/api/v1/call", ...KEY], "GET /api/v1/call does not exist"],
  ["a missing key", ["$BASE/api/v1/calls"], "GET /api/v1/calls: has neither a key nor a cookie"],
  ["an unknown parameter", ["$BASE/api/v1/calls?state=x", ...KEY], /^GET \/api\/v1\/calls: query .*state/],
  [
    "an unknown field",
    ["$BASE/api/v1/calls", ...KEY, ...JSON_BODY, '{"phoneNumber":"+15550100001","agentId":"a","phone":"b"}'],
    /^POST \/api\/v1\/calls: body .*phone/,
  ],
  ["broken JSON", ["$BASE/api/v1/calls", ...KEY, ...JSON_BODY, "{"], /the body is not JSON/],
  [
    "a body that is sent as a form",
    ["$BASE/api/v1/calls", ...KEY, "-d", '{"phoneNumber":"+15550100001","agentId":"a"}'],
    "POST /api/v1/calls: needs the header Content-Type: application/json",
  ],
  ["a file that is not there", ["$BASE/api/v1/calls", ...KEY, ...JSON_BODY, "@x"], /@x was not written before/],
  [
    "a format that is not produced",
    ["$BASE/api/v1/calls", ...KEY, "-H", "Accept: text/vtt"],
    /does not produce text\/vtt/,
  ],
])("%s is a problem", (_name, args, problem) => {
  expect(checkCurl(["curl", ...args], none)).toEqual([
    typeof problem === "string" ? problem : expect.stringMatching(problem),
  ]);
});
