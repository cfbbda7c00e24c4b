/** A reference in a document, with its line. */
export interface Mention {
  readonly target: string;
  readonly line: number;
}

const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /`([^`\n]+)`/g;
const PATH = /^[\w.-]+(?:\/[\w.-]+)*\/?$/;
const SCRIPT = /\bnpm (?:run (?<run>[\w:-]+)|(?<short>start|test)\b)/g;

/** Links to places in the repository, without their anchors. */
export function findLinks(text: string): Mention[] {
  return find(withoutFences(text), LINK, ([, target = ""]) => target.split("#")[0] ?? "").filter(
    ({ target }) => target !== "" && !/^[a-z]+:/.test(target),
  );
}

/** Words in code style that are paths of this repository: they have a slash and begin with one of its folders. */
export function findPaths(text: string, folders: ReadonlySet<string>): Mention[] {
  return find(withoutFences(text), CODE, ([, words = ""]) => words).filter(
    ({ target }) => target.includes("/") && PATH.test(target) && folders.has(target.split("/")[0] ?? ""),
  );
}

/** Scripts of package.json that the text asks its reader to run. */
export function findScripts(text: string): Mention[] {
  return find(text, SCRIPT, ({ groups }) => groups?.["run"] ?? groups?.["short"] ?? "");
}

function find(text: string, pattern: RegExp, targetOf: (match: RegExpExecArray) => string): Mention[] {
  return [...text.matchAll(pattern)].map((match) => ({
    target: targetOf(match),
    line: text.slice(0, match.index).split("\n").length,
  }));
}

/** Blanks fenced blocks, keeping the lines, because they are examples. */
function withoutFences(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ""));
}
