const UNRELEASED = "## [Unreleased]";
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** Why the version cannot be released after the current one, or null if it can. */
export function refuseVersion(version: string, current: string): string | null {
  const next = VERSION.exec(version)?.slice(1).map(Number);
  const last = VERSION.exec(current)?.slice(1).map(Number);
  if (!next) return `${version} is not a version such as 1.2.3.`;
  if (!last) return `The current version ${current} is not a version such as 1.2.3.`;
  const changed = next.findIndex((part, index) => part !== last[index]);
  const isLater = changed !== -1 && (next[changed] ?? 0) > (last[changed] ?? 0);
  return isLater ? null : `${version} is not later than ${current}.`;
}

/** Moves the unreleased changes under the version and its date, or returns null when there is nothing to release. */
export function changelogWithRelease(changelog: string, version: string, date: string): string | null {
  const notes = sectionOf(changelog, UNRELEASED);
  if (notes === null || notes.body.trim() === "") return null;
  const released = `${UNRELEASED}\n\n## [${version}] - ${date}\n${notes.body}`;
  return changelog.slice(0, notes.start) + released + changelog.slice(notes.end);
}

/** What the changelog says about one release, or null if it is unknown. */
export function notesOfRelease(changelog: string, version: string): string | null {
  return sectionOf(changelog, `## [${version}]`)?.body.trim() ?? null;
}

/** The section from its heading to the next one of the same level. */
function sectionOf(changelog: string, heading: string): { start: number; end: number; body: string } | null {
  const start = `\n${changelog}`.indexOf(`\n${heading}`);
  if (start === -1) return null;
  const lineEnd = changelog.indexOf("\n", start);
  const bodyStart = lineEnd === -1 ? changelog.length : lineEnd + 1;
  const next = changelog.indexOf("\n## ", bodyStart - 1);
  const end = next === -1 ? changelog.length : next + 1;
  return { start, end, body: changelog.slice(bodyStart, end) };
}
