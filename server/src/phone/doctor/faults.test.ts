import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import type { HeaderLine } from "@parley/telephony/sip/message/message";
import { TEST_CERTIFICATE, TEST_KEY } from "@parley/telephony/sip/testing/test-certificate";
import { openTlsTransport } from "@parley/telephony/sip/transport/tls";
import type { FarPlan } from "@parley/telephony/sip-carrier/testing/far-call";
import type { Trunk } from "@parley/telephony/sip-carrier/trunks/trunk";
import { systemClock } from "@parley/time/clock";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openPatient } from "./testing/open-patient.ts";

// Real sockets and threads on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

type Patient = Awaited<ReturnType<typeof openPatient>>;
type Report = Awaited<ReturnType<Patient["examine"]>>;

const TO = "+15550100001";
const CREDENTIALS = { username: "us", password: "right" };
const CHALLENGE = 'Digest realm="trunk", nonce="n1", algorithm=MD5, qop="auth"';
const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

interface Fault {
  /** Makes the trunk faulty and returns its configuration. */
  arrange(): Promise<{ readonly patient: Patient; readonly trunk: Trunk }>;
  /** The statuses with their phrases that the trunk sends; nothing else may be quoted. */
  readonly says: readonly string[];
  readonly step: "names" | "connection" | "options" | "call";
  readonly verdict: "warning" | "fault";
  readonly words: RegExp;
  readonly isHealthy?: true;
}

async function faulty(options: Parameters<typeof openPatient>[0] = {}, sip: Partial<Trunk["sip"]> = {}) {
  // Timeouts are shortened; real responses come from this machine.
  const patient = await openPatient({ hurry: 4, ...options });
  open.push(patient);
  return { patient, trunk: { ...patient.trunk, sip: { ...patient.trunk.sip, ...sip } } };
}

function refusing(
  status: number,
  reason: string,
  words: RegExp,
  {
    headers = [],
    sip = {},
    rings = false,
  }: { headers?: HeaderLine[]; sip?: Partial<Trunk["sip"]>; rings?: boolean } = {},
): Fault {
  const plan: FarPlan = { ringsAfterMs: rings ? 10 : null, refuses: { status, reason, headers } };
  const isHealthy = [408, 480, 486].includes(status);
  return {
    arrange: () => faulty({ plan }, sip),
    says: ["200 OK", `${status} ${reason}`],
    step: "call",
    verdict: isHealthy ? "warning" : "fault",
    words,
    ...(isHealthy ? { isHealthy } : {}),
  };
}

async function boundSocket(onMessage: (reply: (text: string) => void) => void) {
  const socket = createSocket("udp4");
  socket.on("message", (_, { address, port }) => onMessage((text) => socket.send(text, port, address)));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const close = () => new Promise<void>((resolve) => socket.close(() => resolve()));
  return { port: socket.address().port, close };
}

async function closedTcpPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const tlsFarEnd = () =>
  openTlsTransport({
    clock: systemClock,
    address: "127.0.0.1",
    port: 0,
    own: { key: TEST_KEY, certificate: TEST_CERTIFICATE },
  });

const FAULTS: Readonly<Record<string, Fault>> = {
  "a port that takes everything and says nothing": {
    async arrange() {
      const silent = await boundSocket(() => undefined);
      open.push(silent);
      return faulty({}, { port: silent.port });
    },
    says: [],
    step: "call",
    verdict: "fault",
    words: /did not respond.*Check host, port and transport/,
  },
  "a UDP port that nothing listens on": {
    async arrange() {
      const gone = await boundSocket(() => undefined);
      await gone.close();
      return faulty({}, { port: gone.port });
    },
    says: [],
    step: "call",
    verdict: "fault",
    words: /could not be reached.*check host and port/,
  },
  "something that is no SIP": {
    async arrange() {
      const other = await boundSocket((reply) => reply("HTTP/1.1 400 Bad Request\r\n\r\n"));
      open.push(other);
      return faulty({}, { port: other.port });
    },
    says: [],
    step: "call",
    verdict: "fault",
    words: /cannot be read as SIP.*something other than the trunk/,
  },
  "a host name that does not exist": {
    async arrange() {
      const { patient, trunk } = await faulty({}, { host: "sip.example.com" });
      Object.assign(patient.surroundings.resolver, { addresses: async () => [] });
      return { patient, trunk };
    },
    says: [],
    step: "names",
    verdict: "fault",
    words: /DNS knows no address.*spelled/,
  },
  "TLS that is refused": {
    arrange: async () => faulty({}, { transport: "tls", port: await closedTcpPort() }),
    says: [],
    step: "connection",
    verdict: "fault",
    words: /No TLS connection.*Nothing listens there/,
  },
  "a certificate that nobody vouches for": {
    arrange: async () => faulty({ transport: await tlsFarEnd() }, { transport: "tls" }),
    says: [],
    step: "connection",
    verdict: "fault",
    words: /PARLEY_SIP_TLS_CA/,
  },
  "a certificate for another name": {
    arrange: async () =>
      faulty(
        { transport: await tlsFarEnd(), tls: { ca: TEST_CERTIFICATE } },
        { transport: "tls", host: "sip.example.com" },
      ),
    says: [],
    step: "connection",
    verdict: "fault",
    words: /for another name/,
  },
  "401 and no credentials": refusing(401, "Unauthorized", /none are set.*set username and password/, {
    headers: [["WWW-Authenticate", CHALLENGE]],
  }),
  "401 to our credentials": {
    async arrange() {
      const { patient, trunk } = await faulty({}, { credentials: CREDENTIALS });
      const { peer } = patient.farEnd;
      const refusal = { reason: "Unauthorized", headers: [["WWW-Authenticate", CHALLENGE]] as HeaderLine[] };
      peer.on("INVITE", (invite) => peer.reply(invite, 401, refusal));
      return { patient, trunk };
    },
    says: ["200 OK", "401 Unauthorized"],
    step: "call",
    verdict: "fault",
    words: /did not accept our credentials.*again/,
  },
  "401 after it rang": refusing(401, "Unauthorized", /only after the phone rang.*before the phone rings/, {
    headers: [["WWW-Authenticate", CHALLENGE]],
    sip: { credentials: CREDENTIALS },
    rings: true,
  }),
  "401 with a challenge that is unknown": refusing(401, "Unauthorized", /not supported.*SHA-256/, {
    headers: [["WWW-Authenticate", "Negotiate abc"]],
    sip: { credentials: CREDENTIALS },
  }),
  "407 and no credentials": refusing(407, "Proxy Authentication Required", /none are set.*set username/, {
    headers: [["Proxy-Authenticate", CHALLENGE]],
  }),
  "403": refusing(403, "Forbidden", /may place calls/),
  "404": refusing(404, "Not Found", /how numbers are to be written/),
  "408, which the trunk itself sent": refusing(408, "Request Timeout", /try a number that answers/),
  "480": refusing(480, "Temporarily Unavailable", /try a number that answers/),
  "486": refusing(486, "Busy Here", /try a number that answers/),
  "488": refusing(488, "Not Acceptable Here", /codecs/),
  "500": refusing(500, "Server Internal Error", /carrier's side: try again later/),
  "503": refusing(503, "Service Unavailable", /carrier's side: try again later/),
  "503 with Retry-After": refusing(503, "Service Unavailable", /a pause of 30 s/, {
    headers: [["Retry-After", "30"]],
  }),
  "an OPTIONS that is answered after three seconds": {
    async arrange() {
      const { patient, trunk } = await faulty();
      let lateMs = 0;
      const { setTimer } = patient.surroundings.clock;
      Object.assign(patient.surroundings, { clock: { now: () => systemClock.now() + lateMs, setTimer } });
      patient.farEnd.peer.on("OPTIONS", (request) => {
        lateMs += 3_000;
        patient.farEnd.peer.reply(request, 200);
      });
      return { patient, trunk };
    },
    says: ["200 OK"],
    step: "options",
    verdict: "warning",
    words: /only after 3\.\d s.*Every call waits/,
  },
};

/** Whatever looks like a status with its phrase. */
const statusesIn = ({ findings }: Report) =>
  findings.flatMap(({ finding, remedy }) =>
    [...`${finding} ${remedy ?? ""}`.matchAll(/\b[1-6]\d\d [A-Z][A-Za-z]*(?: [A-Z][A-Za-z]*)*/g)].map(([said]) => said),
  );

describe("the doctor says what is wrong, quotes only what the trunk said, and has a remedy that fits", () => {
  test.each(Object.entries(FAULTS))("%s", async (_, { arrange, says, step, verdict, words, isHealthy = false }) => {
    const { patient, trunk } = await arrange();
    const report = await patient.examine(trunk, TO);
    expect(report.of(step)).toMatch(new RegExp(`^${verdict}: `));
    expect(report.of(step)).toMatch(words);
    expect(statusesIn(report).filter((said) => !says.includes(said))).toEqual([]);
    for (const { finding } of report.findings)
      for (const [, quote] of finding.matchAll(/"([^"]*)"/g)) expect(says).toContain(quote);
    if (says.length === 0) expect(report.findings.map(({ finding }) => finding).join()).not.toMatch(/trunk said/i);
    if (step !== "options") expect(report.isHealthy).toBe(isHealthy);
  });
});
