/** A scenario for sipp, the SIP tester of Debian, built from steps instead of written as XML. */
export type SippStep = string;

const TAG = "tag=[pid]S[call_number]";
const SDP = [
  "v=0",
  "o=sipp 1 1 IN IP[local_ip_type] [local_ip]",
  "s=-",
  "c=IN IP[media_ip_type] [media_ip]",
  "t=0 0",
  "m=audio [media_port] RTP/AVP 0 101",
  "a=rtpmap:101 telephone-event/8000",
].join("\n");

export function scenario(...steps: SippStep[]): string {
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="parley">\n${steps.join("\n")}\n</scenario>\n`;
}

/** Waits for a request. What `keep` names is kept in the variables 1, 2, ... for later. */
export function receive(method: string, keep: readonly Keep[] = []): SippStep {
  const actions = keep
    .map(({ header, pattern }, index) => {
      const place = `search_in="hdr" header="${header}" check_it="true" assign_to="${index + 1}"`;
      return `<ereg regexp="${pattern}" ${place}/>`;
    })
    .join("");
  return `<recv request="${method}" crlf="true">${actions === "" ? "" : `<action>${actions}</action>`}</recv>`;
}

export interface Keep {
  readonly header: string;
  readonly pattern: string;
}

export function receiveStatus(status: number): SippStep {
  return `<recv response="${status}" crlf="true"></recv>`;
}

export function pause(durationMs: number): SippStep {
  return `<pause milliseconds="${durationMs}"/>`;
}

export interface ReplyOptions {
  readonly reason?: string;
  readonly withSdp?: boolean;
  readonly headers?: readonly string[];
  /** Repeats it until something comes back, as a phone does with its final response. */
  readonly repeats?: boolean;
  /** Replies to an earlier INVITE whose Via and CSeq were kept in the variables 1 and 2, instead of to the last request. */
  readonly toKeptInvite?: boolean;
  /** Whether the tag must be added to To, which is so until the caller repeats it. */
  readonly addsTag?: boolean;
}

export function reply(status: number, options: ReplyOptions = {}): SippStep {
  const { reason = "Reply", withSdp = false, headers = [], repeats = false, toKeptInvite = false } = options;
  const { addsTag = !toKeptInvite } = options;
  const lines = [
    `SIP/2.0 ${status} ${reason}`,
    ...(toKeptInvite ? ["Via:[$1]"] : ["[last_Via:]"]),
    "[last_From:]",
    `[last_To:]${addsTag ? `;${TAG}` : ""}`,
    "[last_Call-ID:]",
    ...(toKeptInvite ? ["CSeq: [$2] INVITE"] : ["[last_CSeq:]"]),
    "Contact: <sip:callee@[local_ip]:[local_port];transport=[transport]>",
    ...headers,
  ];
  return send(lines, withSdp, repeats);
}

/** The reply to a request inside the call, whose To already has our tag. */
export function replyInCall(status: number, withSdp = false): SippStep {
  const lines = [
    `SIP/2.0 ${status} Reply`,
    "[last_Via:]",
    "[last_From:]",
    "[last_To:]",
    "[last_Call-ID:]",
    "[last_CSeq:]",
  ];
  return send([...lines, "Contact: <sip:callee@[local_ip]:[local_port];transport=[transport]>"], withSdp, false);
}

/** A request of the callee. The caller's From and Contact must have been kept in the variables 1 and 2. */
export function request(method: string, cseq: number, withSdp = false): SippStep {
  const lines = [
    `${method} [$2] SIP/2.0`,
    "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
    `From: <sip:callee@[local_ip]:[local_port]>;${TAG}`,
    "To:[$1]",
    "[last_Call-ID:]",
    `CSeq: ${cseq} ${method}`,
    "Max-Forwards: 70",
    "Contact: <sip:callee@[local_ip]:[local_port];transport=[transport]>",
  ];
  return send(lines, withSdp, method !== "ACK");
}

function send(lines: readonly string[], withSdp: boolean, repeats: boolean): SippStep {
  const type = withSdp ? ["Content-Type: application/sdp"] : [];
  const text = [...lines, ...type, "Content-Length: [len]", "", ...(withSdp ? [SDP] : []), ""].join("\n");
  return `<send${repeats ? ' retrans="500"' : ""}><![CDATA[\n\n${text}\n]]></send>`;
}

export const KEEP_FROM_AND_CONTACT: readonly Keep[] = [
  { header: "From:", pattern: ".*" },
  { header: "Contact:", pattern: "sip:[^&gt;]*" },
];
/** [0-9] and not \d: sipp knows POSIX expressions. */
export const KEEP_VIA_AND_CSEQ: readonly Keep[] = [
  { header: "Via:", pattern: ".*" },
  { header: "CSeq:", pattern: "[0-9]+" },
];
