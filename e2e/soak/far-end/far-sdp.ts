export interface FarSound {
  readonly host: string;
  readonly port: number;
  /** RFC 3264 section 5: each description of a call has a higher version than the one before. */
  readonly version?: number;
  readonly direction?: "sendrecv" | "sendonly";
  /** 0 is mu-law, 8 is A-law (RFC 3551 section 6). */
  readonly payloadType?: 0 | 8;
}

export function farSdp({ host, port, version = 1, direction = "sendrecv", payloadType = 0 }: FarSound): string {
  return [
    ...head(host, version),
    `m=audio ${port} RTP/AVP ${payloadType} 101`,
    "a=rtpmap:101 telephone-event/8000",
    `a=${direction}`,
    "",
  ].join("\r\n");
}

/** A fax machine that wants to leave speech behind (T.38 annex D). */
export function farFaxSdp(host: string, version: number): string {
  return [...head(host, version), "m=image 9 udptl t38", ""].join("\r\n");
}

function head(host: string, version: number): string[] {
  return ["v=0", `o=far 1 ${version} IN IP4 ${host}`, "s=-", `c=IN IP4 ${host}`, "t=0 0"];
}
