/** The verbs of TwiML that the stand-in executes. */
export type TwimlVerb =
  | { readonly type: "stream"; readonly url: string; readonly parameters: Readonly<Record<string, string>> }
  | {
      readonly type: "dial";
      readonly to: string;
      readonly callerId: string | null;
      readonly timeoutS: number;
      readonly actionUrl: string | null;
      readonly statusUrl: string | null;
      readonly statusEvents: readonly string[];
    }
  | { readonly type: "hangup" };

/** Reads a TwiML document. Throws for verbs that the stand-in does not know, so that a test cannot rely on them. */
export function parseTwiml(document: string): readonly TwimlVerb[] {
  const [, content] = /^\s*(?:<\?xml[^>]*\?>)?\s*<Response>([\s\S]*)<\/Response>\s*$/.exec(document) ?? [];
  if (content === undefined) throw new Error(`This is not TwiML: ${document}`);
  const verbs: TwimlVerb[] = [];
  const verb =
    /\s*(?:<Connect>\s*<Stream([^>]*?)(?:\/>|>([\s\S]*?)<\/Stream>)\s*<\/Connect>|<Dial([^>]*)>([\s\S]*?)<\/Dial>|<Hangup\s*\/>)\s*/y;
  while (verb.lastIndex < content.length) {
    const found = verb.exec(content);
    if (found === null) throw new Error(`The stand-in does not know this TwiML: ${content}`);
    const [, stream, streamContent = "", dial, dialContent = ""] = found;
    if (stream !== undefined) verbs.push(readStream(stream, streamContent));
    else verbs.push(dial === undefined ? { type: "hangup" } : readDial(dial, dialContent));
  }
  return verbs;
}

function readStream(attributes: string, content: string): TwimlVerb {
  const parameters: Record<string, string> = {};
  for (const [, text = ""] of content.matchAll(/<Parameter([^>]*?)\/?>/g)) {
    const { name, value } = readAttributes(text);
    if (name !== undefined) parameters[name] = value ?? "";
  }
  return { type: "stream", url: readAttributes(attributes)["url"] ?? "", parameters };
}

function readDial(attributes: string, content: string): TwimlVerb {
  const { timeout, action, callerId } = readAttributes(attributes);
  const [, number, to = content] = /<Number([^>]*)>([\s\S]*?)<\/Number>/.exec(content) ?? [];
  const { statusCallback, statusCallbackEvent } = readAttributes(number ?? "");
  return {
    type: "dial",
    to: unescapeXml(to.trim()),
    callerId: callerId ?? null,
    timeoutS: Number(timeout ?? "30"),
    actionUrl: action ?? null,
    statusUrl: statusCallback ?? null,
    statusEvents: (statusCallbackEvent ?? "completed").split(" "),
  };
}

function readAttributes(text: string): Readonly<Record<string, string | undefined>> {
  const attributes: Record<string, string> = {};
  for (const [, name = "", value = ""] of text.matchAll(/(\w+)="([^"]*)"/g)) attributes[name] = unescapeXml(value);
  return attributes;
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (entity, name: string) => CHARACTERS[name] ?? entity);
}
