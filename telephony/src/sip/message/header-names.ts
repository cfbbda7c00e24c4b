/** RFC 3261 section 7.3.3 and the IANA registry: the compact forms of header names. */
const LONG_NAME_BY_COMPACT: ReadonlyMap<string, string> = new Map([
  ["a", "Accept-Contact"],
  ["b", "Referred-By"],
  ["c", "Content-Type"],
  ["d", "Request-Disposition"],
  ["e", "Content-Encoding"],
  ["f", "From"],
  ["i", "Call-ID"],
  ["j", "Reject-Contact"],
  ["k", "Supported"],
  ["l", "Content-Length"],
  ["m", "Contact"],
  ["o", "Event"],
  ["r", "Refer-To"],
  ["s", "Subject"],
  ["t", "To"],
  ["u", "Allow-Events"],
  ["v", "Via"],
  ["x", "Session-Expires"],
  ["y", "Identity"],
]);

const COMPACT_BY_LONG_NAME: ReadonlyMap<string, string> = new Map(
  [...LONG_NAME_BY_COMPACT].map(([compact, long]) => [long.toLowerCase(), compact]),
);

/** Names whose usual spelling is not "each word begins with a capital". */
const USUAL_SPELLING: ReadonlyMap<string, string> = new Map(
  ["Call-ID", "CSeq", "MIME-Version", "WWW-Authenticate", "RSeq", "RAck", "Min-SE", "SIP-ETag", "SIP-If-Match"].map(
    (name) => [name.toLowerCase(), name],
  ),
);

/** The long form in its usual spelling, so that names can be compared directly. */
export function canonicalName(name: string): string {
  const lower = name.toLowerCase();
  const known = LONG_NAME_BY_COMPACT.get(lower) ?? USUAL_SPELLING.get(lower);
  if (known !== undefined) return known;
  return lower.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** The compact form if there is one, which helps a request fit into one datagram. */
export function compactName(name: string): string {
  return COMPACT_BY_LONG_NAME.get(name.toLowerCase()) ?? name;
}
