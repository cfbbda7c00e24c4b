import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A statement of a store, by the name of the function that sends it. Functions that share a name are taken together. */
export interface FoundStatement {
  readonly name: string;
  /** As PostgreSQL gets it; null where it is put together from parts that only the running program knows. */
  readonly text: string | null;
}

/** A statement that is made with the query builder, as it is written. */
export interface BuiltStatement {
  readonly name: string;
  readonly source: string;
}

/** Reads every statement of the stores below a folder from their source. */
export async function findStatements(folder: string): Promise<{
  readonly written: readonly FoundStatement[];
  readonly built: readonly BuiltStatement[];
}> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith("-store.ts")).sort();
  const written: FoundStatement[] = [];
  const built: BuiltStatement[] = [];
  for (const file of files) {
    const source = await readFile(join(folder, file), "utf8");
    const nameAt = (index: number) => nameOfFunction(source.slice(0, index));
    for (const match of source.matchAll(RUN))
      written.push({ name: nameAt(match.index), text: readText(match[1] ?? "", source) });
    for (const match of source.matchAll(BUILD)) {
      const rest = source.slice(match.index);
      built.push({ name: nameAt(match.index), source: rest.slice(0, END_OF_BUILD.exec(rest)?.index) });
    }
  }
  return { written, built };
}

/** The second argument of `run`, of `commitOne`, or of the function by which one store calls it: a text, or what stands for one. */
const RUN = /\b(?:run|one|commitOne)(?:<[^(]*>)?\(\s*\w+,\s*(`[^`]*`|"(?:[^"\\]|\\.)*"|\w+(?:\([^)]*\))?)/g;
const BUILD = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/g;
const END_OF_BUILD = /\.execute|;\n/;

function nameOfFunction(before: string): string {
  const names = [...before.matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)];
  return names.at(-1)?.[1] ?? "";
}

/** A literal, or a constant of the same file, with the constants of the same file put in. */
function readText(written: string, source: string): string | null {
  if (written.startsWith('"')) return JSON.parse(written) as string;
  if (/^\d[\d_]*$/.test(written)) return written.replaceAll("_", "");
  if (!written.startsWith("`")) return readConstant(written, source);
  let isWhole = true;
  const text = written.slice(1, -1).replace(/\$\{([^}]*)\}/g, (_all, name: string) => {
    const value = readConstant(name, source);
    isWhole &&= value !== null;
    return value ?? "";
  });
  return isWhole ? text : null;
}

/** `NAME`, or `name("text")` of a function that only puts its argument into a text. */
function readConstant(name: string, source: string): string | null {
  const [, called = "", argument] = /^(\w+)(?:\("([^"]*)"\))?$/.exec(name) ?? [];
  const given = argument === undefined ? "" : String.raw`\((\w+)(?:: string)?\) =>\s*`;
  const [, ...found] =
    new RegExp(`^ *(?:export )?const ${called}(?:: string)? =\\s*${given}(\`[^\`]*\`|"[^"]*"|[\\d_]+);`, "m").exec(
      source,
    ) ?? [];
  const text = found.at(-1);
  if (called === "" || text === undefined) return null;
  return readText(argument === undefined ? text : text.replaceAll(`\${${found[0]}}`, argument), source);
}
