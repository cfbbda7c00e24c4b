import { splitOutside } from "./quoted-text.ts";

/** `;name=value` or `;name`. The value is kept as written, with its quotes if it had them. */
export interface Param {
  readonly name: string;
  readonly value: string | null;
}

/** Reads what follows the first semicolon. Names are case-insensitive (RFC 3261 section 7.3.1) and come in lower case. */
export function parseParams(text: string): Param[] {
  return splitOutside(text, ";")
    .filter((part) => part !== "")
    .map((part) => {
      const equals = part.indexOf("=");
      if (equals < 0) return { name: part.toLowerCase(), value: null };
      return { name: part.slice(0, equals).trim().toLowerCase(), value: part.slice(equals + 1).trim() };
    });
}

export function writeParams(params: readonly Param[]): string {
  return params.map(({ name, value }) => (value === null ? `;${name}` : `;${name}=${value}`)).join("");
}

/** The value of a parameter, an empty text when it has none, null when it is not there. */
export function param(params: readonly Param[], name: string): string | null {
  const found = params.find((candidate) => candidate.name === name);
  return found === undefined ? null : (found.value ?? "");
}

/** The same parameters with this one set, in its place if it was there. */
export function withParam(params: readonly Param[], name: string, value: string | null): Param[] {
  const isThere = params.some((candidate) => candidate.name === name);
  if (!isThere) return [...params, { name, value }];
  return params.map((candidate) => (candidate.name === name ? { name, value } : candidate));
}
