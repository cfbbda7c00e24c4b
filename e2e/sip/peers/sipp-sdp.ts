/** Session descriptions as sipp writes them, with its words for its own addresses. */
interface AudioOptions {
  /** RFC 3264 section 5: each description of a call has a higher version than the one before. */
  readonly version?: number;
  readonly direction?: "sendrecv" | "sendonly" | "recvonly" | "inactive";
  readonly codec?: "PCMU" | "PCMA";
  /** Where audio should be sent instead of to sipp itself. */
  readonly port?: number;
}

export function audioSdp({ version = 1, direction = "sendrecv", codec = "PCMU", port }: AudioOptions = {}): string {
  return [
    ...head(version),
    `m=audio ${port ?? "[media_port]"} RTP/AVP ${codec === "PCMU" ? 0 : 8} 101`,
    "a=rtpmap:101 telephone-event/8000",
    `a=${direction}`,
  ].join("\n");
}

export const AUDIO = audioSdp();

/** A fax machine that switches from speech to fax (T.38 annex D). */
export function faxSdp(version: number): string {
  return [...head(version), "m=image [media_port] udptl t38", "a=T38FaxVersion:0", "a=T38MaxBitRate:14400"].join("\n");
}

function head(version: number): string[] {
  return [
    "v=0",
    `o=sipp 1 ${version} IN IP[local_ip_type] [local_ip]`,
    "s=-",
    "c=IN IP[media_ip_type] [media_ip]",
    "t=0 0",
  ];
}
