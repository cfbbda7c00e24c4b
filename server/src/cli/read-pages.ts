const PAGE_ROWS = 500;

/** Reads a list to its end, page by page. */
export async function readPages<Row>(
  readPage: (rowsMax: number, last: Row | null) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const page = await readPage(PAGE_ROWS, all.at(-1) ?? null);
    all.push(...page);
    if (page.length < PAGE_ROWS) return all;
  }
}
