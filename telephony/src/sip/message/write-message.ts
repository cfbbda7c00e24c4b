import { compactName } from "./header-names.ts";
import type { SipMessage } from "./message.ts";

export interface WriteOptions {
  /** Writes compact header names, which saves some sixty bytes of an INVITE. */
  readonly compact?: boolean;
}

/** The bytes of a message. Content-Length is always written from the body, so that it holds on every transport. */
export function writeMessage(message: SipMessage, { compact = false }: WriteOptions = {}): Buffer {
  const spell = compact ? compactName : (name: string) => name;
  const lines = [startLineOf(message)];
  for (const [name, value] of message.headers) {
    if (name !== "Content-Length") lines.push(`${spell(name)}: ${onOneLine(value)}`);
  }
  lines.push(`${spell("Content-Length")}: ${message.body.length}`, "", "");
  return Buffer.concat([Buffer.from(lines.join("\r\n")), message.body]);
}

function startLineOf(message: SipMessage): string {
  if (message.kind === "request") return `${onOneLine(message.method)} ${onOneLine(message.uri)} SIP/2.0`;
  return `SIP/2.0 ${message.status} ${onOneLine(message.reason)}`;
}

/** No value, wherever it came from, may start another header line. */
function onOneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, " ");
}
