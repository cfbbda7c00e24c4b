/** Where a datagram goes to or came from. The host is an IP address as text, in the form sockets report it. */
export interface MediaAddress {
  readonly host: string;
  readonly port: number;
}

/** No address is the same as none. */
export function isSameAddress(address: MediaAddress | null, host: string, port: number): boolean {
  return address !== null && address.port === port && address.host === host;
}
