/** A scenario for sipp, the SIP tester of Debian, built from steps instead of written as XML. */
export type SippStep = string;

export function scenario(...steps: SippStep[]): string {
  const text = steps.join("\n");
  // sipp treats a variable that is set and never read as a mistake, unless it is mentioned.
  const kept = new Set([...text.matchAll(/assign_to="(\w+)"/g)].map(([, name]) => name));
  const mention = kept.size === 0 ? "" : `<Reference variables="${[...kept].join(",")}" />\n`;
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="parley">\n${text}\n${mention}</scenario>\n`;
}

/** Waits for a request. What `keep` names is kept for later. */
export function receive(method: string, keep: readonly Keep[] = []): SippStep {
  return receiving(`request="${method}"`, keep);
}

export function receiveStatus(status: number, keep: readonly Keep[] = []): SippStep {
  return receiving(`response="${status}"`, keep);
}

/** The scenario fails if the pattern is not found. */
export interface Keep {
  /** Where to search for the pattern; null is the whole message. */
  readonly header: string | null;
  readonly pattern: string;
  readonly as: string;
}

function receiving(what: string, keep: readonly Keep[]): SippStep {
  const actions = keep
    .map(({ header, pattern, as }) => {
      const where = header === null ? 'search_in="msg"' : `search_in="hdr" header="${header}"`;
      return `<ereg regexp="${pattern}" ${where} check_it="true" assign_to="${as}"/>`;
    })
    .join("");
  return `<recv ${what} crlf="true">${actions === "" ? "" : `<action>${actions}</action>`}</recv>`;
}

/** Fails the scenario if the message does not contain this. */
export function expecting(pattern: string): Keep {
  return { header: null, pattern, as: "expected" };
}

export function pause(durationMs: number): SippStep {
  return `<pause milliseconds="${durationMs}"/>`;
}

export interface ReplyOptions {
  readonly reason?: string;
  readonly sdp?: string;
  readonly headers?: readonly string[];
  /** Repeats it until something arrives, as a phone does with its final response. */
  readonly repeats?: boolean;
  /** Replies to an earlier INVITE whose Via and CSeq were kept, instead of to the last request. */
  readonly toKeptInvite?: boolean;
  /** Whether the tag must be added to To, which is so until the caller repeats it. */
  readonly addsTag?: boolean;
  /** Identifies the phone that speaks, if a call was forked to several. */
  readonly phone?: string;
}

export function reply(status: number, options: ReplyOptions = {}): SippStep {
  const { reason = "Reply", sdp, headers = [], repeats = false, toKeptInvite = false, phone } = options;
  const { addsTag = !toKeptInvite } = options;
  const lines = [
    `SIP/2.0 ${status} ${reason}`,
    ...(toKeptInvite ? ["Via:[$via]"] : ["[last_Via:]"]),
    "[last_From:]",
    `[last_To:]${addsTag ? `;${tagOf(phone)}` : ""}`,
    "[last_Call-ID:]",
    ...(toKeptInvite ? ["CSeq: [$cseq] INVITE"] : ["[last_CSeq:]"]),
    CONTACT,
    ...headers,
  ];
  return send(lines, sdpBody(sdp), repeats);
}

interface ReplyInCallOptions extends Pick<ReplyOptions, "sdp" | "headers"> {
  /**
   * The method of an earlier request whose Via and CSeq were kept. Without it, the last message is replied to, which after a
   * pause may be a late ACK.
   */
  readonly toKept?: string;
}

/** The reply to a request inside the call, whose To already has our tag. */
export function replyInCall(status: number, { sdp, headers = [], toKept }: ReplyInCallOptions = {}): SippStep {
  const lines = [
    `SIP/2.0 ${status} Reply`,
    toKept === undefined ? "[last_Via:]" : "Via:[$via]",
    "[last_From:]",
    "[last_To:]",
    "[last_Call-ID:]",
    toKept === undefined ? "[last_CSeq:]" : `CSeq: [$cseq] ${toKept}`,
  ];
  return send([...lines, CONTACT, ...headers], sdpBody(sdp), false);
}

interface Body {
  readonly type: string;
  readonly text: string;
}

export interface RequestOptions extends Pick<ReplyOptions, "sdp" | "headers" | "phone"> {
  /** Instead of a session description. */
  readonly body?: Body;
  readonly branch?: string;
}

/** A request of the callee. The caller's From and Contact must have been kept. */
export function request(
  method: string,
  cseq: number,
  { sdp, body, headers = [], phone, branch = "[branch]" }: RequestOptions = {},
): SippStep {
  const lines = [
    `${method} [$contact] SIP/2.0`,
    `Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=${branch}`,
    `From: <sip:callee@[local_ip]:[local_port]>;${tagOf(phone)}`,
    "To:[$from]",
    "[last_Call-ID:]",
    `CSeq: ${cseq} ${method}`,
    "Max-Forwards: 70",
    CONTACT,
    ...headers,
  ];
  return send(lines, body ?? sdpBody(sdp), method !== "ACK");
}

/** RFC 3261 section 17.1.1.3: a refusal is acknowledged in the transaction of its INVITE, two steps before. */
export function acknowledgeRefusal(cseq: number): SippStep {
  return request("ACK", cseq, { branch: "[branch-2]" });
}

const CONTACT = "Contact: <sip:callee@[local_ip]:[local_port];transport=[transport]>";

function tagOf(phone = ""): string {
  return `tag=[pid]S[call_number]${phone}`;
}

function sdpBody(sdp: string | undefined): Body | undefined {
  return sdp === undefined ? undefined : { type: "application/sdp", text: sdp };
}

function send(lines: readonly string[], body: Body | undefined, repeats: boolean): SippStep {
  const type = body === undefined ? [] : [`Content-Type: ${body.type}`];
  const text = [...lines, ...type, "Content-Length: [len]", "", ...(body === undefined ? [] : [body.text]), ""];
  return `<send${repeats ? ' retrans="500"' : ""}><![CDATA[\n\n${text.join("\n")}\n]]></send>`;
}

export const KEEP_FROM_AND_CONTACT: readonly Keep[] = [
  { header: "From:", pattern: ".*", as: "from" },
  { header: "Contact:", pattern: "sip:[^&gt;]*", as: "contact" },
];
/** [0-9] and not \\d: sipp supports POSIX expressions. */
export const KEEP_VIA_AND_CSEQ: readonly Keep[] = [
  { header: "Via:", pattern: ".*", as: "via" },
  { header: "CSeq:", pattern: "[0-9]+", as: "cseq" },
];
export const KEEP_INVITE: readonly Keep[] = [...KEEP_FROM_AND_CONTACT, ...KEEP_VIA_AND_CSEQ];

export const UNTIL_WE_HANG_UP: readonly SippStep[] = [receive("BYE"), replyInCall(200)];
export const TALKS_UNTIL_WE_HANG_UP: readonly SippStep[] = [receive("ACK"), ...UNTIL_WE_HANG_UP];
