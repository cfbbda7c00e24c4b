/** A foreign key: `table` refers to `references`. */
export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly references: string;
  /** As PostgreSQL spells it. */
  readonly definition: string;
}

/**
 * Puts every table after those it refers to, as far as tables do not refer to each other in a circle, so that a person
 * with nothing but the file could fill them in that order.
 */
export function orderTables(
  tables: readonly string[],
  keys: readonly Pick<ForeignKey, "table" | "references">[],
): string[] {
  const order: string[] = [];
  const seen = new Set<string>();
  const visit = (table: string): void => {
    if (seen.has(table)) return;
    seen.add(table);
    const referred = keys.filter((key) => key.table === table).map((key) => key.references);
    for (const next of referred.sort()) visit(next);
    order.push(table);
  };
  for (const table of [...tables].sort()) visit(table);
  return order;
}
