import { ColumnTypeNode, generate, getDialect, IdentifierNode, Logger } from "kysely-codegen";

/** The tables of a database as TypeScript, with values as our driver reads and takes them. */
export async function generateRowTypes(url: string): Promise<string> {
  const dialect = getDialect("postgres", { dateParser: "string" });
  // Read as a value, written as JSON text.
  const [unknown, string] = [new IdentifierNode("unknown"), new IdentifierNode("string")];
  Object.assign(dialect.adapter.definitions, { Json: new ColumnTypeNode(unknown, string, string) });
  const db = await dialect.introspector.connect({ connectionString: url, dialect });
  try {
    return await generate({
      db,
      dialect,
      excludePattern: "parley_migrations",
      logger: new Logger("silent"),
      outFile: null,
      // Money must not lose a micro.
      typeMapping: { int8: "bigint" },
    });
  } finally {
    await db.destroy();
  }
}
