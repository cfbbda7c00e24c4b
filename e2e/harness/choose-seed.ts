/** The requested seed, or a new one: it must be printed either way. */
export function chooseSeed(asked: string | undefined): number {
  const given = Number(asked);
  return asked !== undefined && Number.isSafeInteger(given) ? given >>> 0 : Math.floor(Math.random() * 2 ** 32);
}
