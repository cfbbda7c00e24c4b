import type { ReadStream } from "node:tty";

const SECRET_BYTES_MAX = 4096;
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

/** What a secret is read from: a terminal, where it is not shown, or a pipe. */
export type SecretSource = NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY" | "setRawMode">>;

/** Reads one line without showing it. `prompt` is written only where a person types. */
export async function readSecret(
  source: SecretSource,
  prompt: (text: string) => void,
  interrupt: () => void,
): Promise<string> {
  source.setEncoding("utf8");
  if (!source.isTTY) return firstLine(await readToEnd(source));
  prompt("Password (not shown): ");
  source.setRawMode?.(true);
  try {
    return await readTyped(source, interrupt);
  } finally {
    source.setRawMode?.(false);
    source.pause();
    prompt("\n");
  }
}

async function readToEnd(source: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of source) {
    text += String(chunk);
    if (text.length > SECRET_BYTES_MAX) break;
  }
  return text;
}

/** In raw mode every key arrives unprocessed, even those that end a program. */
function readTyped(source: NodeJS.ReadableStream, interrupt: () => void): Promise<string> {
  return new Promise((resolve) => {
    let typed: string[] = [];
    const onData = (chunk: string | Buffer) => {
      for (const character of String(chunk)) {
        if (character === CTRL_C) interrupt();
        else if (character === "\b" || character === "\u007f") typed = typed.slice(0, -1);
        else if (character === "\r" || character === "\n" || character === CTRL_D) {
          source.removeListener("data", onData);
          source.removeListener("end", onEnd);
          resolve(typed.join(""));
          return;
        } else if (typed.length < SECRET_BYTES_MAX) typed.push(character);
      }
    };
    const onEnd = () => resolve(typed.join(""));
    source.on("data", onData);
    source.once("end", onEnd);
  });
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}
