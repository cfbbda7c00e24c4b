import { expect, test } from "vitest";
import { retryWhileDatabaseAway } from "./writes.ts";

const refusal = (code: string) => Object.assign(new Error("as PostgreSQL says it"), { code });

function failing(...codes: string[]) {
  const retries: unknown[] = [];
  const write = async () => {
    const code = codes.shift();
    if (code !== undefined) throw refusal(code);
    return "written";
  };
  return {
    retries,
    write,
    options: { signal: new AbortController().signal, onRetry: (e: unknown) => retries.push(e) },
  };
}

test("the writes of a live call succeed once the database disk has room again", async () => {
  const { retries, write, options } = failing("53100", "53100");
  expect(await retryWhileDatabaseAway(write, options)).toBe("written");
  expect(retries).toHaveLength(2);
});

test("a permanently refused write is not retried", async () => {
  const { retries, write, options } = failing("23505");
  await expect(retryWhileDatabaseAway(write, options)).rejects.toMatchObject({ code: "23505" });
  expect(retries).toEqual([]);
});

test("an abandoned run writes nothing more", async () => {
  const { write, options } = failing();
  const stop = new AbortController();
  stop.abort(new Error("given up"));
  await expect(retryWhileDatabaseAway(write, { ...options, signal: stop.signal })).rejects.toThrow("given up");
});
