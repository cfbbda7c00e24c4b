/** One page of a list. */
export interface Page<Item> {
  readonly data: Item[];
  /** `null` on the last page. */
  readonly nextCursor: string | null;
  /** Requests the next page; `null` after the last one. */
  next(): Promise<Page<Item> | null>;
}

/** Await it for the first page, or iterate over it with `for await` for all items of all pages. */
export type PagePromise<Item> = Promise<Page<Item>> & AsyncIterable<Item>;

/** Requests the page after a cursor, or the first one. */
export type ReadPage<Item> = (cursor?: string) => Promise<{ data: Item[]; nextCursor: string | null }>;

export function createPagePromise<Item>(read: ReadPage<Item>): PagePromise<Item> {
  const readPage = async (cursor?: string): Promise<Page<Item>> => {
    const { data, nextCursor } = await read(cursor);
    return { data, nextCursor, next: async () => (nextCursor === null ? null : readPage(nextCursor)) };
  };
  const first = readPage();
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let page: Page<Item> | null = await first; page !== null; page = await page.next()) yield* page.data;
    },
  });
}
