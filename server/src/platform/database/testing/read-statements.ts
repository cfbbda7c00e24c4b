import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A statement whose rows are typed by hand, as `run<Row>(db, text)` has it. */
export interface TypedStatement {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The fields of the row type, each with its type as written. */
  readonly fields: ReadonlyMap<string, string>;
}

export interface FoundStatements {
  readonly readable: readonly TypedStatement[];
  /** Those whose text or type is put together in a way that cannot be read from the file alone: file and line. */
  readonly unreadable: readonly string[];
}

/** Finds every typed statement of the stores below a folder by reading their source. */
export async function readStatements(folder: string): Promise<FoundStatements> {
  const names = await readdir(folder, { recursive: true });
  const readable: TypedStatement[] = [];
  const unreadable: string[] = [];
  for (const file of names.filter((name) => name.endsWith("-store.ts")).sort()) {
    const source = await readFile(join(folder, file), "utf8");
    for (const match of source.matchAll(/\brun<(\{[^}]*\}|\w+)>\(\s*\w+,\s*(`[^`]*`|"(?:[^"\\]|\\.)*"|[A-Z_]+\b)/g)) {
      const [, type = "", written = ""] = match;
      const line = source.slice(0, match.index).split("\n").length;
      const fields = readFields(type, source);
      const text = readText(written, source);
      if (fields && text !== null) readable.push({ file, line, text, fields });
      else unreadable.push(`${file}:${line}`);
    }
  }
  return { readable, unreadable };
}

/** Of a type written in place, or of an interface of the same file that extends nothing. */
function readFields(type: string, source: string): ReadonlyMap<string, string> | null {
  const body = type.startsWith("{")
    ? type.slice(1, -1)
    : new RegExp(`\\binterface ${type} \\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1];
  if (body === undefined) return null;
  const plain = body.replace(/\/\*[\s\S]*?\*\//g, "");
  const fields = [...plain.matchAll(/(?:readonly )?(\w+)(\??): ([^;\n]+)/g)];
  if (fields.some(([, , optional]) => optional)) return null;
  return new Map(fields.map(([, name = "", , value = ""]) => [name, value.trim()]));
}

/** A literal, or a constant of the same file, with constants of the same file put in. */
function readText(written: string, source: string): string | null {
  if (written.startsWith('"')) return JSON.parse(written) as string;
  if (!written.startsWith("`")) {
    const constant = new RegExp(`\\bconst ${written} =\\s*(\`[^\`]*\`|"[^"]*")`).exec(source)?.[1];
    return constant === undefined ? null : readText(constant, source);
  }
  let isWhole = true;
  const text = written.slice(1, -1).replace(/\$\{([^}]*)\}/g, (_all, name: string) => {
    const value = /^[A-Z_]+$/.test(name) ? readText(name, source) : null;
    isWhole &&= value !== null;
    return value ?? "";
  });
  return isWhole ? text : null;
}
