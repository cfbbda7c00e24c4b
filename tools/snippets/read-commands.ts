/** A simple command of a shell script (POSIX 2.9.1), with its quotes removed and its variables as written. */
export interface ShellCommand {
  /** `NAME=value` before the command, or instead of one. */
  readonly assignments: ReadonlyMap<string, string>;
  readonly words: readonly string[];
  /** The file that its output is written to. */
  readonly output: string | null;
  /** What a here-document gives it. */
  readonly input: string | null;
}

const ASSIGNMENT = /^(\w+)=(.*)$/s;

/**
 * Reads the commands of a script as documentation writes them: quotes, comments, pipes, lists, here-documents, and commands
 * inside `$(...)`. It knows no functions, loops or conditions.
 */
export function readCommands(script: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let at = 0;
  let words: string[] = [];
  let output: string | null = null;
  let input: string | null = null;
  let endMark: string | null = null;

  const finish = () => {
    const split = words.findIndex((word) => !ASSIGNMENT.test(word));
    const count = split === -1 ? words.length : split;
    const assignments = new Map(words.slice(0, count).map((word) => takeAssignment(word)));
    if (words.length > 0) commands.push({ assignments, words: words.slice(count), output, input });
    words = [];
    output = null;
    input = null;
  };

  const readQuoted = (quote: string): string => {
    let text = "";
    for (at += 1; at < script.length && script[at] !== quote; at += 1) {
      if (quote === '"' && script[at] === "\\" && /["\\$`\n]/.test(script[at + 1] ?? "")) at += 1;
      text += script[at];
    }
    at += 1;
    return text;
  };

  const readSubstitution = (): string => {
    const begin = at;
    let depth = 0;
    do {
      if (script[at] === "(") depth += 1;
      if (script[at] === ")") depth -= 1;
      at += 1;
    } while (at < script.length && depth > 0);
    // The dollar sign is followed by the parenthesis that was just closed.
    const inner = script.slice(begin + 1, at - 1);
    commands.push(...readCommands(inner));
    return script.slice(begin, at);
  };

  const readWord = (): string => {
    let text = "";
    while (at < script.length && !/[\s;|&()<>]/.test(script[at] ?? "")) {
      const char = script[at] ?? "";
      if (char === "'" || char === '"') text += readQuoted(char);
      else if (char === "\\") {
        text += script[at + 1] === "\n" ? "" : (script[at + 1] ?? "");
        at += 2;
      } else if (char === "$" && script[at + 1] === "(") {
        at += 1;
        text += `$${readSubstitution()}`;
      } else {
        text += char;
        at += 1;
      }
    }
    return text;
  };

  const skipBlanks = () => {
    while (script[at] === " " || script[at] === "\t" || script.startsWith("\\\n", at))
      at += script[at] === "\\" ? 2 : 1;
  };

  const readHereDocument = (mark: string) => {
    const begin = at + 1;
    const end = script.indexOf(`\n${mark}\n`, at);
    if (end === -1) throw new Error(`the here-document ${mark} does not end`);
    input = script.slice(begin, end + 1);
    at = end + 1 + mark.length;
  };

  while (at < script.length) {
    skipBlanks();
    const char = script[at];
    if (char === undefined) break;
    if (char === "#") at = indexOrEnd(script, "\n", at);
    else if (char === "\n") {
      if (endMark !== null) readHereDocument(endMark);
      endMark = null;
      at += 1;
      finish();
    } else if (/[;|&()]/.test(char)) {
      at += 1;
      finish();
    } else if (script.startsWith("<<", at)) {
      at += 2;
      skipBlanks();
      endMark = readWord();
    } else if (char === ">" || char === "<") {
      at += script[at + 1] === ">" ? 2 : 1;
      skipBlanks();
      const file = readWord();
      if (char === ">") output = file;
    } else words.push(readWord());
  }
  finish();
  return commands;
}

function takeAssignment(word: string): [string, string] {
  const [, name = "", value = ""] = ASSIGNMENT.exec(word) ?? [];
  return [name, value];
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const index = text.indexOf(wanted, from);
  return index === -1 ? text.length : index;
}
