/** Which of several servers a connection is for, as libpq names it (PostgreSQL, section 34.1.2, target_session_attrs). */
const TARGETS = ["any", "read-write", "primary", "read-only", "standby", "prefer-standby"] as const;
export type ServerTarget = (typeof TARGETS)[number];

export interface DatabaseUrl {
  /** One URL for each server, in the order given. */
  readonly servers: readonly [string, ...string[]];
  /** Null where the URL does not say. */
  readonly target: ServerTarget | null;
  /** The addresses, for messages. */
  readonly where: string;
  readonly database: string;
  readonly role: string;
}

const FORM = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/** Reads a connection URL, which may list several servers as libpq does: `postgresql://parley@db1:5432,db2:5432/parley`. */
export function readDatabaseUrl(text: string): DatabaseUrl | null {
  const [, start, hosts, rest] = FORM.exec(text) ?? [];
  if (start === undefined || hosts === undefined || rest === undefined) return null;
  const urls = hosts.split(",").map((host) => `${start}${host}${rest}`);
  if (!urls.every((url) => URL.canParse(url)) || (urls.length > 1 && hosts.split(",").includes(""))) return null;
  const [first = "", ...others] = urls;
  const { searchParams, pathname, username } = new URL(first);
  const asked = searchParams.get("target_session_attrs");
  const target = TARGETS.find((known) => known === asked) ?? null;
  if (asked !== null && target === null) return null;
  return {
    servers: [first, ...others],
    target,
    where: urls.map(describeServer).join(", "),
    database: pathname.slice(1),
    role: username,
  };
}

function describeServer(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname || "localhost"}:${port || "5432"}`;
}
