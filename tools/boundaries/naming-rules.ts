import { lineAt, type SourceFile, type Violation } from "./source-file.ts";

const EMPTY_NAMES = new Set(["utils", "util", "helpers", "common", "core", "services", "managers", "misc"]);
const BARREL_NAME = /(?:^|\/)index\.(?:ts|tsx|mts|mjs)$/;
const EXPORT_ALL = /^[ \t]*export\s+\*/gm;

/** A folder is named after its subject, so that a newcomer finds things by name. */
export function checkFolderNames({ path }: SourceFile): Violation[] {
  const folder = path
    .split("/")
    .slice(0, -1)
    .find((name) => EMPTY_NAMES.has(name));
  return folder ? [{ path, line: 1, rule: `a folder named ${folder} says nothing about what is in it` }] : [];
}

/** Files that only re-export others hide where a thing lives and create import cycles. */
export function checkBarrels({ path, text }: SourceFile): Violation[] {
  if (BARREL_NAME.test(path)) return [{ path, line: 1, rule: "no index files; import the file itself" }];
  return [...text.matchAll(EXPORT_ALL)].map((match) => ({
    path,
    line: lineAt(text, match.index),
    rule: "no `export *`; import the file itself",
  }));
}
