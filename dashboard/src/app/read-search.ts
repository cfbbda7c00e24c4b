type Search = Record<string, unknown>;

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export const withNext = (search: Search): { next?: string } => {
  const next = text(search["next"]);
  // Only a path of this site: a link must not lead whoever signs in elsewhere.
  return next && /^\/(?![/\\])/.test(next) ? { next } : {};
};

export const withToken = (search: Search): { token?: string; invited?: "yes" } => {
  const token = text(search["token"]);
  return { ...(token ? { token } : {}), ...(search["invited"] === "yes" ? { invited: "yes" } : {}) };
};

export const withCall = (search: Search): { call?: string } => {
  const call = text(search["call"]);
  return call ? { call } : {};
};

export const withQuery = (search: Search): { q?: string } => {
  // An address reads what looks like a number as one.
  const q = typeof search["q"] === "number" ? String(search["q"]) : text(search["q"]);
  return q ? { q: q.slice(0, 100) } : {};
};
