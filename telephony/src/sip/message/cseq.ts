import { isToken } from "./quoted-text.ts";

/** RFC 3261 section 20.16:  CSeq: 4711 INVITE */
export interface CSeq {
  readonly number: number;
  readonly method: string;
}

/** RFC 3261 section 8.1.1.5: below 2^31. */
const CSEQ_MAX = 2 ** 31 - 1;

export function parseCSeq(text: string): CSeq | null {
  const match = /^(\d{1,10})[ \t]+(\S+)$/.exec(text.trim());
  if (match?.[2] === undefined || !isToken(match[2])) return null;
  const number = Number(match[1]);
  return number > CSEQ_MAX ? null : { number, method: match[2] };
}

export function writeCSeq({ number, method }: CSeq): string {
  return `${number} ${method}`;
}
