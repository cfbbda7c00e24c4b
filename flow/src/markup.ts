import { isPronunciation } from "@parley/contract/pronunciations";

/**
 * Markup in spoken texts: a small part of SSML 1.1 (W3C). `<break time="500ms"/>`, `<emphasis>`, `<say-as interpret-as="digits">`,
 * `<phoneme ph="...">`, `<sub alias="...">` and `<prosody rate="slow">`. Everything else in angle brackets is a mistake, so that
 * no tag is ever read out.
 */
type MarkupToken =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "break"; readonly ms: number }
  | { readonly type: "open"; readonly tag: MarkupTag }
  | { readonly type: "close"; readonly name: MarkupTag["name"] };

export type MarkupTag =
  | { readonly name: "emphasis" }
  | { readonly name: "say-as"; readonly as: SayAs }
  /** IPA between slashes. */
  | { readonly name: "phoneme"; readonly ipa: string }
  | { readonly name: "sub"; readonly alias: string }
  /** 1 is the pace of the agent. */
  | { readonly name: "prosody"; readonly rate: number };

const SAY_AS = ["digits", "characters", "date", "time", "telephone", "currency"] as const;
export type SayAs = (typeof SAY_AS)[number];

export interface Markup {
  readonly tokens: readonly MarkupToken[];
  /** What is wrong with it, as the end of a sentence: "has a tag <b>, ...". */
  readonly mistakes: readonly string[];
}

const TAG = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*)\s*(\/?)>/g;
/** What would be a tag if it were complete. A "<" before a space or a digit is a sign. */
const BROKEN_TAG = /<[/!?A-Za-z][^<>\s]{0,20}/;
const BREAK_MAX_MS = 5_000;
const STRENGTHS: Readonly<Record<string, number>> = { weak: 200, medium: 400, strong: 700, "x-strong": 1_000 };
const RATES: Readonly<Record<string, number>> = { "x-slow": 0.7, slow: 0.85, medium: 1, fast: 1.15, "x-fast": 1.3 };
const RATE_MIN = 50;
const RATE_MAX = 150;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Whether a text may have markup in it; most have none. */
export function hasMarkup(text: string): boolean {
  return /[<&]/.test(text);
}

/** Reads the markup of a text. With mistakes, what is wrong is left out of the tokens. */
export function parseMarkup(text: string): Markup {
  const tokens: MarkupToken[] = [];
  const mistakes: string[] = [];
  const open: MarkupTag["name"][] = [];
  const addText = (part: string) => {
    const [broken] = BROKEN_TAG.exec(part) ?? [];
    if (broken !== undefined) mistakes.push(`has an incomplete tag ${broken}; write &lt; for the sign itself`);
    const clean = broken === undefined ? part : part.replace(new RegExp(BROKEN_TAG, "g"), " ");
    if (clean !== "") tokens.push({ type: "text", text: decode(clean) });
  };
  let at = 0;
  for (const found of text.matchAll(TAG)) {
    addText(text.slice(at, found.index));
    at = found.index + found[0].length;
    const [whole, slash, name = "", attributes = "", isEmpty] = found;
    const isClosing = slash === "/";
    if (name === "break") {
      const ms = isClosing ? null : breakMs(readAttributes(attributes));
      if (ms === null) mistakes.push(`has ${whole}; a pause is written <break time="500ms"/>, at most 5s`);
      else tokens.push({ type: "break", ms });
    } else if (!isTagName(name)) {
      mistakes.push(`has a tag <${name}>, which is not supported`);
    } else if (isClosing) {
      if (open.at(-1) === name) {
        open.pop();
        tokens.push({ type: "close", name });
      } else mistakes.push(`has </${name}> without a <${name}> that it closes`);
    } else {
      const tag = readTag(name, readAttributes(attributes));
      if (tag === null) mistakes.push(`has ${whole}; ${HOW_TO[name]}`);
      else if (isEmpty === "/") mistakes.push(`has ${whole}, which has no words in it`);
      else if (open.includes(name) || open.some((each) => each !== "prosody" && each !== "emphasis")) {
        mistakes.push(`has <${name}> inside <${open.at(-1)}>, which is not supported`);
      } else {
        open.push(name);
        tokens.push({ type: "open", tag });
      }
    }
  }
  addText(text.slice(at));
  for (const name of open.toReversed()) {
    mistakes.push(`has <${name}> without </${name}>`);
    tokens.push({ type: "close", name });
  }
  return { tokens, mistakes };
}

const HOW_TO: Readonly<Record<MarkupTag["name"], string>> = {
  emphasis: "it takes no other attribute than level",
  "say-as": `interpret-as is one of ${SAY_AS.join(", ")}`,
  phoneme: 'ph is the pronunciation in IPA, such as ph="ʃɪˈvɔn"',
  sub: "alias is what is said instead",
  prosody: `rate is slow, medium, fast or a percentage from ${RATE_MIN}% to ${RATE_MAX}%`,
};

/** The words of a text as they are written, without its markup. */
export function withoutMarkup(text: string): string {
  if (!hasMarkup(text)) return text;
  let words = "";
  for (const token of parseMarkup(text).tokens) {
    if (token.type === "text") words += token.text;
    else if (token.type === "break") words += " ";
  }
  return words
    .replace(/ {2,}/g, " ")
    .replace(/ (?=[.,;:!?](?:\s|$))/g, "")
    .trim();
}

function isTagName(name: string): name is MarkupTag["name"] {
  return Object.hasOwn(HOW_TO, name);
}

function readAttributes(written: string): Map<string, string> {
  const pairs = written.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map(Array.from(pairs, ([, name = "", double, single]) => [name, decode(double ?? single ?? "").trim()]));
}

function readTag(name: MarkupTag["name"], attributes: ReadonlyMap<string, string>): MarkupTag | null {
  const value = (attribute: string) => attributes.get(attribute) ?? "";
  const hasOnly = (...known: readonly string[]) => [...attributes.keys()].every((each) => known.includes(each));
  switch (name) {
    case "emphasis":
      return hasOnly("level") ? { name } : null;
    case "say-as": {
      const as = SAY_AS.find((each) => each === value("interpret-as"));
      return as === undefined || !hasOnly("interpret-as", "format") ? null : { name, as };
    }
    case "phoneme": {
      const ipa = `/${value("ph").replace(/^\/|\/$/g, "")}/`;
      const isIpa = (attributes.get("alphabet") ?? "ipa") === "ipa";
      return isIpa && isPronunciation(ipa) && hasOnly("ph", "alphabet") ? { name, ipa } : null;
    }
    case "sub":
      return value("alias") === "" || !hasOnly("alias") ? null : { name, alias: value("alias") };
    case "prosody": {
      const rate = rateOf(value("rate"));
      return rate === null || !hasOnly("rate") ? null : { name, rate };
    }
  }
}

function rateOf(written: string): number | null {
  if (Object.hasOwn(RATES, written)) return RATES[written] ?? null;
  const percent = Number(/^(\d{2,3})%$/.exec(written)?.[1] ?? Number.NaN);
  return percent >= RATE_MIN && percent <= RATE_MAX ? percent / 100 : null;
}

function breakMs(attributes: ReadonlyMap<string, string>): number | null {
  if ([...attributes.keys()].some((name) => name !== "time" && name !== "strength")) return null;
  const time = attributes.get("time");
  if (time === undefined) return STRENGTHS[attributes.get("strength") ?? "medium"] ?? null;
  const [, amount, unit] = /^(\d{1,4}(?:\.\d{1,2})?)(ms|s)$/.exec(time) ?? [];
  const ms = Math.round(Number(amount ?? Number.NaN) * (unit === "s" ? 1_000 : 1));
  return ms >= 0 && ms <= BREAK_MAX_MS ? ms : null;
}

function decode(text: string): string {
  return text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? "");
}
