/** A problem or warning of a flow, as far as a form needs it. */
interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** What is wrong, by the field it is about: paths are those of the form. */
export type ProblemsByField = ReadonlyMap<string, string>;

/** The problems below one place of the document, with paths that begin there. */
export function problemsBelow(problems: readonly FieldProblem[], place: string): ProblemsByField {
  const found = new Map<string, string>();
  for (const { path, message } of problems) {
    if (path !== place && !(path.startsWith(place) && /^[.[]/.test(path.slice(place.length)))) continue;
    const field = path.slice(place.length).replace(/^\./, "");
    found.set(field, found.has(field) ? `${found.get(field)} ${message}` : message);
  }
  return found;
}

/** The messages whose field is not among those shown, for the head of the form: none may get lost. */
export function homelessProblems(problems: ProblemsByField, shownPaths: ReadonlySet<string>): string[] {
  return [...problems].filter(([path]) => !shownPaths.has(path)).map(([, message]) => message);
}
