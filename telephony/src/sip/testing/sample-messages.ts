/** Joins lines as they go over the wire; the last argument is the body. */
export function wire(lines: readonly string[], body = ""): Buffer {
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

export const SAMPLE_SDP = [
  "v=0",
  "o=- 1 1 IN IP4 192.0.2.10",
  "s=-",
  "c=IN IP4 192.0.2.10",
  "t=0 0",
  "m=audio 4000 RTP/AVP 0 101",
  "a=rtpmap:101 telephone-event/8000",
  "",
].join("\r\n");

export const SAMPLE_INVITE = wire(
  [
    "INVITE sip:+15550001@trunk.example;user=phone SIP/2.0",
    "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK74bf9;rport",
    "Max-Forwards: 70",
    'From: "Parley" <sip:+15559999@trunk.example>;tag=9fxced76sl',
    "To: <sip:+15550001@trunk.example>",
    "Call-ID: 3848276298220188511@192.0.2.1",
    "CSeq: 2 INVITE",
    "Contact: <sip:parley@192.0.2.1:5060;transport=udp>",
    "Content-Type: application/sdp",
    `Content-Length: ${SAMPLE_SDP.length}`,
  ],
  SAMPLE_SDP,
);

export const SAMPLE_RINGING = wire([
  "SIP/2.0 180 Ringing",
  "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK74bf9;rport=5060;received=192.0.2.1",
  "Record-Route: <sip:p2.example;lr>, <sip:p1.example;lr>",
  'From: "Parley" <sip:+15559999@trunk.example>;tag=9fxced76sl',
  "To: <sip:+15550001@trunk.example>;tag=8321234356",
  "Call-ID: 3848276298220188511@192.0.2.1",
  "CSeq: 2 INVITE",
  "Contact: <sip:gw7@198.51.100.7>",
  "Content-Length: 0",
]);

const REST = ["From: <sip:a@b>;tag=1", "To: <sip:c@d>", "Call-ID: x", "CSeq: 1 OPTIONS", "Content-Length: 0"];
const VIA = "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1";
const START = "OPTIONS sip:c@d SIP/2.0";

function without(name: string): string[] {
  return REST.filter((line) => !line.startsWith(`${name}:`));
}

/** Messages in the spirit of RFC 4475 that must be understood, however odd they look. */
export const ODD_BUT_VALID: readonly (readonly [what: string, bytes: Buffer])[] = [
  [
    "wild white space, folded lines, compact and strangely spelt names (3.1.1.1)",
    wire([
      "INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0",
      "TO :",
      " sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n",
      'from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>',
      "  ;",
      "  tag = 98asjd8",
      "MaX-fOrWaRdS: 0068",
      "Call-ID: wsinv.ndaksdj@192.0.2.1",
      "cseq: 0009",
      "  INVITE",
      "Via  : SIP  /   2.0",
      " /UDP",
      "    192.0.2.2;branch=390skdjuw",
      "s :",
      "NewFangledHeader:   newfangled value",
      " continued newfangled value;;,,;!\"#$%&'()*+",
      "v:  SIP  / 2.0  / TCP     spindle.example.com   ;",
      "  branch  =   z9hG4bK9ikj8  ,",
      " SIP  /    2.0   / UDP  192.168.255.111   ; branch=",
      " z9hG4bK30239",
      'm:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =',
      "      newvalue ;",
      "  secondparam ; q = 0.33",
    ]).subarray(0),
  ],
  [
    "a method of every token character and a header of UTF-8 (3.1.1.2)",
    wire([
      "!interesting-Method0123456789_*+`.%indeed'~ sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP/2.0",
      "Via: SIP/2.0/TCP host1.example.com;branch=z9hG4bK-.!%66*_+`'~",
      'To: "BEL:\\\u0007 NUL:\\~ DEL:\\\u007f" <sip:1_unusual.URI~(to-be!sure)&isn\'t+it$/crazy?,/;;*@example.com>',
      "From: token1~` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%=\"ñ³\";tag=_token~1'+`*%!-.",
      "Call-ID: intmeth.word%ZK-!.*_+'@word`~)(><:\\/\"][?}{",
      "CSeq: 139122385 !interesting-Method0123456789_*+`.%indeed'~",
      "Max-Forwards: 255",
      "extensionHeader-!.%*+_`'~:﻿大停電",
      "Content-Length: 0",
    ]),
  ],
  [
    "escapes in the user part (3.1.1.3)",
    wire(["OPTIONS sip:sips%3Auser%40example.com@example.net SIP/2.0", VIA, ...REST]),
  ],
  [
    "semicolons in the user part (3.1.1.11)",
    wire(["OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0", VIA, ...REST]),
  ],
  ["an unknown scheme in To (3.3.4)", wire([START, VIA, ...without("To"), "To: isbn:2983792873"])],
  [
    "an unknown scheme in the Request-URI (3.3.2)",
    wire(["OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0", VIA, ...REST]),
  ],
  [
    "a missing display name and extra spaces in To (3.1.1.6)",
    wire([START, VIA, ...without("To"), "To: sip:c@d ;tag=5"]),
  ],
  ["a status line with an empty reason (3.1.1.13)", wire(["SIP/2.0 100 ", VIA, ...REST])],
  ["a status line with no reason at all", wire(["SIP/2.0 100", VIA, ...REST])],
  ["a reason phrase of UTF-8 (3.1.1.12)", wire(["SIP/2.0 200 = 2**3 * 5**2 но сто девяносто девять", VIA, ...REST])],
  [
    "an IPv6 Via",
    wire([START, "Via: SIP/2.0/UDP [2001:db8::9:1]:5062;received=[2001:db8::9:255];branch=z9hG4bKas3-111", ...REST]),
  ],
  ["bytes beyond the body (3.1.2.2 turned round)", wire([START, VIA, ...REST], "thrown away")],
  [
    "lines that end in LF only",
    Buffer.from(
      wire([START, VIA, ...REST])
        .toString()
        .replaceAll("\r\n", "\n"),
    ),
  ],
  ["empty lines before the start line", Buffer.concat([Buffer.from("\r\n\r\n"), wire([START, VIA, ...REST])])],
  ["no Content-Length in a datagram", wire([START, VIA, ...without("Content-Length")], "body")],
];

/** Messages that must be refused, each with a word of the reason. */
export const MALFORMED: readonly (readonly [what: string, reason: RegExp, bytes: Buffer])[] = [
  ["nothing", /end/, Buffer.alloc(0)],
  ["no end of the header section", /end/, Buffer.from(`${START}\r\n${VIA}\r\n`)],
  ["only an empty line", /end|start line/, Buffer.from("\r\n\r\n")],
  ["a start line of HTTP", /not SIP/, wire(["GET / HTTP/1.1", VIA, ...REST])],
  ["another version (3.1.2.16)", /version/, wire(["OPTIONS sip:c@d SIP/7.0", VIA, ...REST])],
  ["two spaces in the start line (3.1.2.9)", /start line/, wire(["OPTIONS  sip:c@d  SIP/2.0", VIA, ...REST])],
  ["angle brackets round the Request-URI (3.1.2.7)", /Request-URI/, wire(["OPTIONS <sip:c@d> SIP/2.0", VIA, ...REST])],
  ["a space in the Request-URI (3.1.2.8)", /start line/, wire(["OPTIONS sip:c@d; lr SIP/2.0", VIA, ...REST])],
  [
    "a response code of four digits (3.1.2.19)",
    /start line|not SIP/,
    wire(["SIP/2.0 4294967301 better", VIA, ...REST]),
  ],
  ["a response code of nine hundred", /start line|not SIP/, wire(["SIP/2.0 900 over", VIA, ...REST])],
  [
    "a negative Content-Length (3.1.2.3)",
    /Content-Length/,
    wire([START, VIA, ...without("Content-Length"), "Content-Length: -999"]),
  ],
  [
    "a Content-Length beyond the bytes (3.1.2.2)",
    /shorter/,
    wire([START, VIA, ...without("Content-Length"), "l: 9999"]),
  ],
  ["two different Content-Lengths", /Content-Length/, wire([START, VIA, ...REST, "l: 5"], "hello")],
  [
    "a CSeq beyond its range (3.1.2.4)",
    /CSeq/,
    wire([START, VIA, ...without("CSeq"), "CSeq: 36893488147419103232 OPTIONS"]),
  ],
  ["a CSeq of another method (3.1.2.17)", /method/, wire([START, VIA, ...without("CSeq"), "CSeq: 8 INVITE"])],
  ["two CSeqs (3.3.8)", /CSeq/, wire([START, VIA, ...REST, "CSeq: 2 OPTIONS"])],
  ["two Call-IDs (3.3.8)", /Call-ID/, wire([START, VIA, ...REST, "i: y"])],
  [
    "an unterminated quote in To (3.1.2.6)",
    /To/,
    wire([START, VIA, ...without("To"), 'To: "Mr. J. User <sip:j.user@example.com>']),
  ],
  ["no From (3.3.1)", /From/, wire([START, VIA, ...without("From")])],
  ["no Via", /Via/, wire([START, ...REST])],
  ["a Via without a host", /Via/, wire([START, "Via: SIP/2.0/UDP ;;,;,,", ...REST])],
  ["Max-Forwards beyond its range", /Max-Forwards/, wire([START, VIA, ...REST, "Max-Forwards: 300"])],
  ["a header line without a colon", /header line/, wire([START, VIA, "nonsense", ...REST])],
  ["a continuation right after the start line", /continuation/, wire([START, " folded", VIA, ...REST])],
  ["a NUL in a header", /control/, wire([START, VIA, ...REST, "X: a\0b"])],
  ["a line of more than 8 KiB", /8 KiB/, wire([START, VIA, ...REST, `X: ${"a".repeat(8_200)}`])],
  [
    "a folded line of more than 8 KiB",
    /8 KiB/,
    wire([START, VIA, ...REST, `X: ${"a".repeat(5_000)}`, ` ${"a".repeat(5_000)}`]),
  ],
  ["more than 128 header lines", /128/, wire([START, VIA, ...REST, ...Array<string>(130).fill("X: y")])],
  ["more than 64 KiB", /64 KiB/, wire([START, VIA, ...without("Content-Length")], "a".repeat(65_536))],
];
