import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readSecret } from "./read-secret.ts";

function terminal() {
  const modes: boolean[] = [];
  const keys = Object.assign(new PassThrough(), {
    isTTY: true as const,
    setRawMode: (isRaw: boolean) => void modes.push(isRaw),
  });
  let shown = "";
  let interrupts = 0;
  const reading = readSecret(
    keys as unknown as Parameters<typeof readSecret>[0],
    (text) => {
      shown += text;
    },
    () => {
      interrupts += 1;
    },
  );
  return { keys, modes, reading, shown: () => shown, interrupts: () => interrupts };
}

test("a password that is piped is its first line, whatever the end of the line is", async () => {
  for (const text of ["pass word\n", "pass word\r\n", "pass word", "pass word\nmore\n"]) {
    const pipe = new PassThrough();
    pipe.end(text);
    expect(
      await readSecret(
        pipe,
        () => undefined,
        () => undefined,
      ),
    ).toBe("pass word");
  }
});

test("a password that is typed is not shown, can be corrected, and the terminal is as it was afterwards", async () => {
  const { keys, modes, reading, shown } = terminal();
  keys.write("hunterx\u007f2é");
  keys.write("\r");
  expect(await reading).toBe("hunter2é");
  expect(shown()).toBe("Password (not shown): \n");
  expect(modes).toEqual([true, false]);
  expect(keys.listenerCount("data")).toBe(0);
});

test("Ctrl-C while typing a password interrupts the command", async () => {
  const { keys, reading, interrupts } = terminal();
  keys.write("abc\u0003");
  keys.write("\n");
  await reading;
  expect(interrupts()).toBe(1);
});
