import { StartError } from "./start-error.ts";

/** What PostgreSQL's refusals mean for the author of DATABASE_URL (PostgreSQL, appendix A). */
const REFUSALS: Readonly<Record<string, string>> = {
  "28P01": "It refused the password.",
  "28000": "It does not let this role in from here.",
  "3D000": "It has no database of that name.",
  "42501": "The role may not create tables there: make it the owner of the database, or grant it CREATE on the schema.",
  "53300": "It has no connection left to give.",
};

/** Turns the failure of the first contact with an external database into words, without its password. */
export function explainDatabaseError(error: unknown, databaseUrl: string): StartError {
  const { hostname, port, pathname, username } = new URL(databaseUrl);
  const where = `${hostname || "localhost"}:${port || "5432"}, database ${pathname.slice(1) || "of the role's name"}, role ${username || "unnamed"}`;
  const refusal = REFUSALS[codesOf(error).find((code) => code in REFUSALS) ?? ""];
  const explanation = refusal ? `refused (${messageOf(error)}). ${refusal}` : `cannot be used: ${messageOf(error)}.`;
  return new StartError(
    `The PostgreSQL that DATABASE_URL names (${where}) ${explanation} ` +
      "Mend DATABASE_URL or the server, or leave DATABASE_URL out to use the embedded one.",
    { cause: error },
  );
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as { code?: unknown };
  return [...(typeof code === "string" ? [code] : []), ...codesOf(error.cause)];
}

/** Trying each address of a name results in one error without its own message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
