import { isIPv6 } from "node:net";
import type { Libc } from "./libc.ts";

/**
 * `struct sockaddr_in` and `struct sockaddr_in6` of Linux. The family is in the machine's order, the port and the address
 * in the network's:
 *
 *     bytes   0-1      2-3     4-7                8-23      24-27
 *     IPv4    family   port    address
 *     IPv6    family   port    flow information   address   scope
 */
export type AddressFamily = 2 | 10;
const FAMILY_IPV4: AddressFamily = 2;
export const FAMILY_IPV6: AddressFamily = 10;
const ADDRESS_AT: Readonly<Record<AddressFamily, number>> = { 2: 4, 10: 8 };
const TEXT_BYTES_MAX = 64;
/** Room for either. */
export const ADDRESS_BYTES_MAX = 32;

export function familyOf(host: string): AddressFamily {
  return isIPv6(host) ? FAMILY_IPV6 : FAMILY_IPV4;
}

export function addressBytes(family: AddressFamily): number {
  return family === FAMILY_IPV4 ? 16 : 28;
}

/** False when the host is not an address of the family; the written bytes are then invalid. */
export function writeAddress(
  libc: Libc,
  { memory, at, family }: { memory: ArrayBuffer; at: number; family: AddressFamily },
  host: string,
  port: number,
): boolean {
  const view = new DataView(memory, at, ADDRESS_BYTES_MAX);
  view.setUint16(0, family, true);
  view.setUint16(2, port, false);
  return libc.inet_pton(family, host, libc.pointerTo(memory) + BigInt(at + ADDRESS_AT[family])) === 1;
}

export function readPort(memory: ArrayBuffer): number {
  return new DataView(memory).getUint16(2, false);
}

/**
 * The source of a socket's datagrams as text. It is the same for nearly all of them, so it is compared as numbers
 * first and formatted only when it changed.
 */
export class SourceAddress {
  readonly #libc: Libc;
  readonly #family: AddressFamily;
  readonly #known = new ArrayBuffer(ADDRESS_BYTES_MAX);
  readonly #words = new Uint32Array(this.#known);
  readonly #usedWords: number;
  host = "";
  port = 0;

  constructor(libc: Libc, family: AddressFamily) {
    this.#libc = libc;
    this.#family = family;
    this.#usedWords = addressBytes(family) / Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Brings host and port up to date with what the kernel wrote at this place. */
  follow(words: Uint32Array, at: number): void {
    const known = this.#words;
    const count = this.#usedWords;
    let isSame = true;
    for (let index = 0; index < count; index++) isSame &&= words[at + index] === known[index];
    if (isSame) return;
    for (let index = 0; index < count; index++) known[index] = words[at + index] as number;
    this.#name();
  }

  #name(): void {
    const text = new ArrayBuffer(TEXT_BYTES_MAX);
    const address = this.#libc.pointerTo(this.#known) + BigInt(ADDRESS_AT[this.#family]);
    this.#libc.inet_ntop(this.#family, address, this.#libc.pointerTo(text), TEXT_BYTES_MAX);
    const bytes = Buffer.from(text);
    this.host = bytes.toString("latin1", 0, bytes.indexOf(0));
    this.port = readPort(this.#known);
  }
}
