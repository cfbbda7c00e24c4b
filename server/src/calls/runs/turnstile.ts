/** Runs work when its turn has come. */
export type Turnstile = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lets so many pieces of work run at once; the others wait in the order in which they came. */
export function createTurnstile(atOnceMax: number): Turnstile {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
