import { expect, test } from "vitest";
import { ALL_COMMANDS } from "./command-line.ts";
import { formatTable } from "./table.ts";
import { typeCommand } from "./testing/type-command.ts";

/** Runs a command line that never gets as far as to need settings. */
const type = (...argv: string[]) =>
  typeCommand(argv, () => {
    throw new Error("the settings were read");
  });

test.each([[[]], [["--help"]], [["-h"]]])(
  "without a command (%j) every command is shown on one screen",
  async (argv) => {
    const { code, out, err } = await type(...argv);
    expect(code).toBe(0);
    expect(err).toBe("");
    for (const { name } of ALL_COMMANDS) expect(out).toContain(name);
    const lines = out.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  },
);

test.each(ALL_COMMANDS.map(({ name }) => name))("%s has its own help", async (name) => {
  const { code, out } = await type(...name.split(" "), "--help");
  expect(code).toBe(0);
  expect(out).toContain(`Usage: npm run parley -- ${name}`);
  expect(out).toContain("--json");
});

test("the commands of one kind are shown by that kind's help", async () => {
  const { code, out } = await type("keys", "--help");
  expect(code).toBe(0);
  expect(out).toContain("keys revoke KEY_ID");
  expect(out).not.toContain("accounts");
});

test.each([
  [["dance"], "unknown command 'dance'"],
  [["keys"], "keys revoke KEY_ID"],
  [["keys", "steal"], "unknown command 'steal'"],
  [["--json", "check"], "unknown option '--json'"],
  [["check", "--loud"], "unknown option '--loud'"],
  [["check", "twice"], "too many arguments"],
  [["keys", "list"], "missing required argument 'ACCOUNT'"],
  [["keys", "create", "acc_1", "--mode", "test"], "required option '--name <NAME>' not specified"],
  [["keys", "create", "acc_1", "--mode", "test", "--name"], "--name"],
  [["backup", "a.gz", "--force=yes"], "--force"],
])("%j is rejected as invalid", async (argv, message) => {
  const { code, out, err } = await type(...argv);
  expect(code).toBe(2);
  expect(out).toBe("");
  expect(err).toContain(message);
  expect(err).not.toContain("    at ");
});

test("columns are aligned, and nothing that was typed elsewhere can steer the terminal", () => {
  expect(
    formatTable(
      ["id", "name"],
      [
        ["a", "x\u001b[31m\n"],
        ["longer", "y\u202e"],
      ],
    ),
  ).toBe("ID      NAME\na       x\ufffd[31m\ufffd\nlonger  y\ufffd");
});
