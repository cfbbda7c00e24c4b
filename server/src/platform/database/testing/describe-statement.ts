import type pg from "pg";

export interface DescribedColumn {
  readonly name: string;
  readonly dataTypeID: number;
  /** Zero for what is not simply a column of a table. */
  readonly tableID: number;
  readonly columnID: number;
}

interface Wire {
  parse(query: { text: string; name: string; types: number[] }): void;
  describe(what: { type: "S"; name: string }): void;
  sync(): void;
}

/** Has PostgreSQL parse a statement and say which columns its rows have, without running it. Rejects what it cannot parse. */
export function describeStatement(client: pg.Client, text: string): Promise<readonly DescribedColumn[]> {
  return new Promise((resolve, reject) => {
    let columns: readonly DescribedColumn[] = [];
    client.query({
      submit(connection: unknown) {
        const wire = connection as Wire;
        wire.parse({ text, name: "", types: [] });
        wire.describe({ type: "S", name: "" });
        wire.sync();
      },
      handleRowDescription(message: { fields: readonly DescribedColumn[] }) {
        columns = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    } as unknown as pg.Submittable);
  });
}
