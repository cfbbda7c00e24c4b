import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readSettings, SettingsError } from "./read-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-trunks-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(content: unknown, environment: Record<string, string> = {}) {
  writeFileSync(join(folder, "trunks.json"), typeof content === "string" ? content : JSON.stringify(content));
  return readSettings({ PARLEY_DATA_DIR: "data", PARLEY_TRUNKS: "trunks.json", ...environment }, folder).trunks;
}

function mistakesOf(content: unknown, environment: Record<string, string> = {}): readonly string[] {
  try {
    read(content, environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes;
    throw error;
  }
  throw new Error("it was accepted");
}

const one = { name: "One", host: "sip.example.com" };

describe("the file of trunks", () => {
  test("returns trunks with the defaults of the API, and routes by the names of trunks", () => {
    const trunks = read({ trunks: [{ ...one, channelsMax: 5 }], routes: [{ prefix: "49", trunk: "one" }] });
    expect(trunks).toMatchObject({
      trunks: [{ ...one, channelsMax: 5, transport: "udp", password: null, isEnabled: true }],
      routes: [{ prefix: "49", trunk: "one", priority: 0, weight: 1 }],
    });
    expect(read({ trunks: [] })).toEqual({ trunks: [], routes: [] });
  });

  test("accepts a password literally, or from a variable that then counts as a known setting", () => {
    const withPassword = (password: unknown) => ({ trunks: [{ ...one, username: "u", password }] });
    expect(read(withPassword("pw"))?.trunks[0]?.password).toBe("pw");
    const fromVariable = withPassword({ env: "PARLEY_CARRIER_PASSWORD" });
    expect(read(fromVariable, { PARLEY_CARRIER_PASSWORD: "pw2" })?.trunks[0]?.password).toBe("pw2");
    writeFileSync(join(folder, "parley.env"), "CARRIER_PASSWORD=pw3\n");
    expect(read(withPassword({ env: "CARRIER_PASSWORD" }))?.trunks[0]?.password).toBe("pw3");
    rmSync(join(folder, "parley.env"));
    expect(mistakesOf(fromVariable)).toEqual([
      "PARLEY_TRUNKS: trunks[0].password names PARLEY_CARRIER_PASSWORD, which is not set",
    ]);
    expect(mistakesOf(fromVariable, { PARLEY_CARRIER_PASSWORD: "a\nb" })).toEqual([
      "PARLEY_TRUNKS: trunks[0].password in PARLEY_CARRIER_PASSWORD is not a valid password for a trunk",
    ]);
  });

  test("is rejected with all its mistakes, together with those of other settings", () => {
    const mistakes = mistakesOf(
      {
        trunks: [{ name: "One", host: "a b", port: 0, chanels: 5 }, { host: "sip.example.com" }],
        routes: [{ prefix: "+49", trunk: "One" }],
      },
      { PARLEY_PORT: "99999" },
    );
    for (const place of ["trunks[0].host", "trunks[0].port", "trunks[0].chanels", "trunks[1].name", "routes[0].prefix"])
      expect(
        mistakes.some((mistake) => mistake.startsWith(`PARLEY_TRUNKS: ${place} `)),
        place,
      ).toBe(true);
    expect(mistakes.some((mistake) => mistake.startsWith("PARLEY_PORT:"))).toBe(true);
  });

  test("is refused when its parts do not fit together", () => {
    const mistakes = mistakesOf({
      trunks: [
        one,
        { ...one, name: "ONE" },
        { ...one, name: "Two", username: "u" },
        { ...one, name: "T", registersAs: "u" },
      ],
      routes: [
        { prefix: "1", trunk: "Three" },
        { prefix: "1", trunk: "One" },
        { prefix: "1", trunk: "one" },
      ],
    });
    expect(mistakes).toEqual([
      "PARLEY_TRUNKS: trunks[2].password is required with username",
      "PARLEY_TRUNKS: trunks[3].registersAs needs username and password",
      "PARLEY_TRUNKS: trunks[1].name is used by another trunk",
      "PARLEY_TRUNKS: routes[0].trunk is not the name of a trunk in this file",
      "PARLEY_TRUNKS: routes[2].prefix already has a route to this trunk",
    ]);
  });

  test.each([
    ["[]", "the file must be an object"],
    ["{}", "trunks is required"],
    ["1", "does not contain an object"],
    ["", "is not valid JSON"],
    ["{", "is not valid JSON"],
  ])("that holds %j is refused", (content, mistake) => {
    expect(mistakesOf(content).join("\n")).toContain(mistake);
  });

  test("that is broken is not quoted, because it holds passwords", () => {
    const cutShort = mistakesOf('{"trunks": [\n{"name": "One", "password" "hunter2"}]}');
    expect(cutShort).toEqual([expect.stringMatching(/trunks\.json is not valid JSON \(line 2 column \d+\)$/)]);
    expect(mistakesOf('{"trunks": [{"name": "One", "password": hunter2}]}').join()).not.toContain("hunter2");
    const wrong = {
      trunks: [
        { ...one, username: "u", password: "hunter2\n" },
        { ...one, password: ["hunter2"] },
      ],
    };
    expect(mistakesOf(wrong).join()).not.toContain("hunter2");
  });

  test("that does not exist is a mistake", () => {
    const missing = () => readSettings({ PARLEY_DATA_DIR: "data", PARLEY_TRUNKS: "nowhere.json" }, folder);
    expect(missing).toThrow(/PARLEY_TRUNKS: cannot be read .*nowhere\.json/);
  });

  test("keeps no command from working in a shell that has not its passwords", () => {
    const trunk = { ...one, username: "u", password: { env: "PARLEY_CARRIER_PASSWORD" } };
    writeFileSync(join(folder, "trunks.json"), JSON.stringify({ trunks: [trunk] }));
    const environment = { PARLEY_DATA_DIR: "data", PARLEY_TRUNKS: "trunks.json" };
    expect(() => readSettings(environment, folder)).toThrow("PARLEY_CARRIER_PASSWORD");
    expect(readSettings(environment, folder, "command").trunks).toBeNull();
    const set = { ...environment, PARLEY_CARRIER_PASSWORD: "pw" };
    expect(readSettings(set, folder, "command").trunks).toBeNull();
  });
});
