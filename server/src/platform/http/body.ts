import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError, type ErrorDetail } from "@parley/contract/errors";

// JSON.parse and everything behind it run on the thread that answers all other requests, and cost by the number of
// values, not of bytes: two megabytes of `{}` block it for a third of a second. The limits lie above the largest body
// that a schema takes (20,000 rates of three fields) and are checked on the bytes, before anything is built from them.
const DEPTH_MAX = 32;
const OBJECT_KEYS_MAX = 1000;
// An object of many fields is far slower to build and to refuse than many objects of few. Those that are allowed, such as
// the texts of an agent in other languages, have some thousands of fields together.
const WIDE_OBJECT_KEYS = 100;
const WIDE_KEYS_MAX = 20_000;
const ARRAY_ITEMS_MAX = 20_000;
const VALUES_MAX = 100_000;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads a JSON body that PostgreSQL and people can hold: UTF-8, not too deep or too many values, no NUL, no half characters. */
export function parseJsonBody(bytes: Buffer): unknown {
  refuseExcess(bytes);
  return parseWithinLimits(bytes);
}

/** The limit of most routes. Such a body is parsed in one step, in a few milliseconds. */
const SMALL_BYTES_MAX = 64 * 1024;

/**
 * Reads bodies of any size. Within the limits above one body can still take a tenth of a second to read and validate, so
 * large ones are read one after the other, with a turn of the event loop between counting, parsing and what the caller
 * does with the result: any other request waits for one such step, however many large bodies arrive together.
 */
export class BodyReader {
  readonly #nextTurn: () => Promise<unknown>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(turn: () => Promise<unknown> = nextTurn) {
    this.#nextTurn = turn;
  }

  async read(bytes: Buffer): Promise<unknown> {
    if (bytes.length <= SMALL_BYTES_MAX) return parseJsonBody(bytes);
    const previous = this.#last;
    const over = Promise.withResolvers<unknown>();
    this.#last = over.promise;
    await previous;
    try {
      refuseExcess(bytes);
      await this.#nextTurn();
      const value = parseWithinLimits(bytes);
      await this.#nextTurn();
      return value;
    } finally {
      // What the caller does with it follows in this turn; the next body has to wait for another one.
      over.resolve(this.#nextTurn());
    }
  }
}

function refuseExcess(bytes: Buffer): void {
  const excess = findExcess(bytes);
  if (excess) throw new AppError("validation_failed", sentence(excess), { details: [excess] });
}

function parseWithinLimits(bytes: Buffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  // Only an escape can write what no field may contain: both raw forms are refused by the decoder and the parser.
  const fault = text.includes("\\u") || text.includes("__proto__") ? findFault(value, []) : null;
  if (fault) throw new AppError("validation_failed", sentence(fault), { details: [fault] });
  return value;
}

const malformed = () => new AppError("malformed_json", "The body is not valid JSON in UTF-8.");
const sentence = ({ param, message }: ErrorDetail) => `${param || "The body"} ${message}.`;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts brackets and commas outside of strings, and stops at the first limit. Whether it is JSON is for the parser to say. */
function findExcess(bytes: Uint8Array): ErrorDetail | null {
  const isObject: boolean[] = [];
  const items: number[] = [];
  let depth = 0;
  let values = 1;
  let wideKeys = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEPTH_MAX) return tooMuch("too_deep", `must not be nested deeper than ${DEPTH_MAX} levels`);
      isObject[depth] = byte === OPEN_OBJECT;
      items[depth] = 1;
      values += 1;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth -= 1;
    } else if (byte === COMMA) {
      values += 1;
      const count = (items[depth] ?? 0) + 1;
      items[depth] = count;
      if (isObject[depth]) {
        if (count > OBJECT_KEYS_MAX)
          return tooMuch("too_many_values", `must not hold an object of more than ${OBJECT_KEYS_MAX} fields`);
        if (count > WIDE_OBJECT_KEYS) wideKeys += count === WIDE_OBJECT_KEYS + 1 ? count : 1;
        if (wideKeys > WIDE_KEYS_MAX)
          return tooMuch(
            "too_many_values",
            `must not hold more than ${WIDE_KEYS_MAX} fields in objects of more than ${WIDE_OBJECT_KEYS}`,
          );
      } else if (count > ARRAY_ITEMS_MAX)
        return tooMuch("too_many_values", `must not hold a list of more than ${ARRAY_ITEMS_MAX} items`);
      if (values > VALUES_MAX) return tooMuch("too_many_values", `must not hold more than ${VALUES_MAX} values`);
    }
  }
  return null;
}

function tooMuch(code: string, message: string): ErrorDetail {
  return { param: "", code, message };
}

/** Finds characters that no field may contain, at any depth. */
function findFault(value: unknown, path: (string | number)[]): ErrorDetail | null {
  if (typeof value === "string") return findTextFault(value, () => paramOf(path));
  if (typeof value !== "object" || value === null) return null;
  const isArray = Array.isArray(value);
  for (const key of Object.keys(value)) {
    const keyFault = isArray ? null : findTextFault(key, () => paramOf(path) || "body");
    if (keyFault) return keyFault;
    path.push(isArray ? Number(key) : key);
    if (key === "__proto__") return { param: paramOf(path), code: "unknown_field", message: "is not a field" };
    const fault = findFault((value as Record<string, unknown>)[key], path);
    if (fault) return fault;
    path.pop();
  }
  return null;
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
export function findTextFault(text: string, param: () => string): ErrorDetail | null {
  if (text.includes("\0"))
    return { param: param(), code: "nul_character", message: "must not contain the character U+0000" };
  if (!text.isWellFormed())
    return { param: param(), code: "lone_surrogate", message: "must not contain half of a surrogate pair" };
  return null;
}

/** A path into a body as the contract writes it: `flow.nodes[2].text`. */
export function paramOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, "");
}
