import { createServer, type Server } from "node:net";
import { buildResponse } from "@parley/telephony/sip/message/build-response";
import type { HeaderLine } from "@parley/telephony/sip/message/message";
import { header } from "@parley/telephony/sip/message/read-headers";
import { writeMessage } from "@parley/telephony/sip/message/write-message";
import { TEST_CERTIFICATE, TEST_KEY } from "@parley/telephony/sip/testing/test-certificate";
import { openTcpTransport } from "@parley/telephony/sip/transport/stream-transport";
import { openTlsTransport } from "@parley/telephony/sip/transport/tls";
import { systemClock } from "@parley/time/clock";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeTestTone } from "./probe-call.ts";
import { openPatient, type PatientOptions } from "./testing/open-patient.ts";

// Real sockets and threads on a busy machine take their time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const TO = "+15550100001";
const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function patientWith(options: PatientOptions = {}) {
  const patient = await openPatient(options);
  open.push(patient);
  return patient;
}

describe("a trunk that works", () => {
  test("is found healthy from its settings to the end of a call that echoes", async () => {
    const { examine, trunk, farEnd } = await patientWith({
      plan: { hasEarlyMedia: true, says: makeTestTone(2_000), presses: "5" },
      hasSound: true,
      hurry: 2,
    });
    const { isHealthy, findings, of } = await examine(trunk, TO);
    expect(findings.map(({ step, verdict }) => `${step} ${verdict}`)).toEqual([
      "settings ok",
      "names ok",
      "connection ok",
      "options ok",
      "registration skipped",
      "addresses ok",
      "call ok",
      "sound ok",
      "keys ok",
      "hangup ok",
    ]);
    expect(isHealthy).toBe(true);
    expect(of("call")).toContain("with something to hear before the answer");
    expect(of("sound")).toContain("both ways");
    expect(farEnd.keysHeard(farEnd.callTo(TO))).toBe("5");
    expect(farEnd.callTo(TO).state).toBe("over");
  });

  test("is examined without a call when no number is named, which the report says", async () => {
    const { examine, trunk, farEnd } = await patientWith();
    const { isHealthy, of } = await examine(trunk);
    expect(isHealthy).toBe(true);
    expect(of("call")).toMatch(/^skipped: No call was made/);
    expect(farEnd.calls.size).toBe(0);
  });

  test("over TLS shows its certificate", async () => {
    const own = { key: TEST_KEY, certificate: TEST_CERTIFICATE };
    const transport = await openTlsTransport({ clock: systemClock, address: "127.0.0.1", port: 0, own });
    const { examine, trunk } = await patientWith({ transport, tls: { ca: TEST_CERTIFICATE } });
    const { isHealthy, of } = await examine({ ...trunk, sip: { ...trunk.sip, transport: "tls" } });
    expect(of("connection")).toMatch(
      /^ok: A TLS connection was established after .* certificate for trunk.test is valid for/,
    );
    expect(of("options")).toContain("200 OK");
    expect(isHealthy).toBe(true);
  });

  test("is hung up immediately when the examination is aborted", async () => {
    const { examine, trunk, farEnd } = await patientWith({ plan: { answersAfterMs: null } });
    const stop = new AbortController();
    farEnd.peer.on("OPTIONS", (request) => {
      farEnd.peer.reply(request, 200);
      stop.abort();
    });
    await examine(trunk, TO, stop.signal);
    expect(farEnd.callTo(TO).state).toBe("over");
  });
});

describe("a trunk that cannot be reached", () => {
  test("has a name that DNS does not know, or DNS does not answer", async () => {
    const { examine, trunk, surroundings } = await patientWith();
    const named = { ...trunk, sip: { ...trunk.sip, host: "sip.example.com" } };
    const resolveBy = (addresses: () => Promise<string[]>) => Object.assign(surroundings.resolver, { addresses });
    resolveBy(async () => []);
    const unknown = await examine(named, TO);
    expect(unknown.of("names")).toMatch(/^fault: DNS knows no address/);
    expect(unknown.of("call")).toMatch(/^skipped: This was not checked/);
    resolveBy(() => Promise.reject(new Error("queryA ETIMEOUT sip.example.com")));
    expect((await examine(named)).of("names")).toContain("Check the name servers");
  });

  test("has nothing that listens on its port", async () => {
    const { examine, trunk } = await patientWith();
    const { isHealthy, of } = await examine({ ...trunk, sip: { ...trunk.sip, transport: "tcp", port: 1 } });
    expect(of("connection")).toMatch(/^fault: No TCP connection.*Nothing listens there/);
    expect(isHealthy).toBe(false);
  });

  test("shows a self-signed certificate, or one for another name", async () => {
    const own = { key: TEST_KEY, certificate: TEST_CERTIFICATE };
    const transport = await openTlsTransport({ clock: systemClock, address: "127.0.0.1", port: 0, own });
    const { examine, trunk } = await patientWith({ transport });
    const tls = { ...trunk.sip, transport: "tls" } as const;
    expect((await examine({ ...trunk, sip: tls })).of("connection")).toContain("PARLEY_SIP_TLS_CA");
    const other = await openPatient({ tls: { ca: TEST_CERTIFICATE } });
    open.push(other);
    const misnamed = { ...tls, host: "sip.example.com" };
    expect((await other.examine({ ...trunk, sip: misnamed })).of("connection")).toContain("for another name");
  });

  test("does not speak TLS where TLS is expected", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined).resume();
      socket.end("hello\r\n");
    });
    await listening(server);
    open.push({ close: () => new Promise((resolve) => server.close(resolve)) });
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const { examine, trunk } = await patientWith();
    const { of } = await examine({ ...trunk, sip: { ...trunk.sip, transport: "tls", port } });
    expect(of("connection")).toContain("does not accept our TLS");
  });

  test("says nothing at all over UDP", async () => {
    const { examine, trunk, farEnd } = await patientWith({ hurry: 50 });
    farEnd.peer.on("OPTIONS", () => undefined);
    const { isHealthy, of } = await examine(trunk);
    expect(of("options")).toMatch(/^fault: No response within.*firewall/);
    expect(isHealthy).toBe(false);
  });

  test("closes a TCP connection without an answer", async () => {
    const transport = await openTcpTransport({ clock: systemClock, address: "127.0.0.1", port: 0 });
    const { examine, trunk, farEnd } = await patientWith({ transport, hurry: 50 });
    farEnd.peer.on("OPTIONS", () => undefined);
    const { of } = await examine({ ...trunk, sip: { ...trunk.sip, transport: "tcp" } });
    expect(of("connection")).toMatch(/^ok: A TCP connection was established/);
    expect(of("options")).toMatch(/^fault/);
  });
});

describe("a trunk that requires registration", () => {
  const challenge: HeaderLine = ["WWW-Authenticate", 'Digest realm="trunk", nonce="n1", algorithm=MD5, qop="auth"'];
  const credentials = { username: "us", password: "right" };

  test("accepts the password, and nothing that is on record changes", async () => {
    const { examine, trunk, farEnd } = await patientWith();
    farEnd.peer.on("REGISTER", (request) => {
      if (header(request, "Authorization") === null) farEnd.peer.reply(request, 401, { headers: [challenge] });
      else farEnd.peer.reply(request, 200, { headers: [["Contact", "<sip:us@192.0.2.5>;expires=60"]] });
    });
    const { of } = await examine({ ...trunk, registersAs: "us", sip: { ...trunk.sip, credentials } });
    expect(of("registration")).toMatch(/^ok: The trunk accepts us@127.0.0.1 with this password.*1 on record/);
    expect(farEnd.peer.requests("REGISTER").map((request) => header(request, "Contact"))).toEqual([null, null]);
  });

  test("refuses the password", async () => {
    const { examine, trunk, farEnd } = await patientWith();
    farEnd.peer.on("REGISTER", (request) => farEnd.peer.reply(request, 401, { headers: [challenge] }));
    const { isHealthy, of } = await examine({ ...trunk, registersAs: "us", sip: { ...trunk.sip, credentials } });
    expect(of("registration")).toMatch(/^fault: The trunk does not accept the username or the password/);
    expect(isHealthy).toBe(false);
    expect(JSON.stringify(of("registration"))).not.toContain("right");
  });
});

describe("a translation between us and the trunk", () => {
  test("shows in where the trunk sees us", async () => {
    const { examine, trunk, farEnd } = await patientWith();
    farEnd.peer.on("OPTIONS", (request) => {
      const { headers, ...rest } = buildResponse(request, 200, { toTag: "them" });
      const stamped = headers.map(
        ([name, value]): HeaderLine =>
          name === "Via" ? [name, `${value.replace(/;rport\b/, "")};received=203.0.113.9;rport=61001`] : [name, value],
      );
      const via = request.essentials.via;
      const target = { transport: "udp", address: "127.0.0.1", port: via.port ?? 0 } as const;
      farEnd.peer.send(writeMessage({ ...rest, headers: stamped }), target);
    });
    const { of } = await examine(trunk);
    expect(of("addresses")).toContain("warning: Our messages leave from port");
    expect(of("addresses")).toContain("reach the trunk from port 61001");
  });
});

describe("a test call", () => {
  test.each([
    [403, "fault", "may place calls"],
    [404, "fault", "how numbers are to be written"],
    [488, "fault", "codecs"],
    [486, "warning", "try a number that answers"],
    [503, "fault", "on the carrier's side"],
  ])("that is refused with %i is explained", async (status, verdict, words) => {
    const { examine, trunk } = await patientWith({
      plan: { ringsAfterMs: null, refuses: { status } },
      hasSound: false,
    });
    const { of } = await examine(trunk, TO);
    expect(of("call")).toMatch(new RegExp(`^${verdict}: ${TO.replace("+", "\\+")} did not ring`));
    expect(of("call")).toContain(words);
    expect(of("sound")).toMatch(/^skipped/);
  });

  test("in which no audio packet arrives names the ports to open", async () => {
    const { examine, trunk, surroundings } = await patientWith({ hurry: 20 });
    const { isHealthy, of } = await examine(trunk, TO);
    const { firstPort, lastPort } = surroundings.rtp;
    expect(of("sound")).toMatch(/^fault: Not a single packet of sound arrived/);
    expect(of("sound")).toContain(`Let UDP ports ${firstPort} to ${lastPort} through`);
    expect(isHealthy).toBe(false);
  });

  test("to a silent callee reports that audio arrives and is silence", async () => {
    const { examine, trunk } = await patientWith({ hasSound: true, hurry: 2 });
    expect((await examine(trunk, TO)).of("sound")).toMatch(/^warning: Sound arrives, but it is silence/);
  });

  test("whose hang-up the trunk ignores is a fault", async () => {
    const { examine, trunk, farEnd } = await patientWith({ hurry: 20 });
    farEnd.peer.on("BYE", () => undefined);
    expect((await examine(trunk, TO)).of("hangup")).toMatch(/^fault: The trunk did not confirm our hang-up/);
  });
});

test("a machine without its configured address is reported", async () => {
  const { examine, trunk, surroundings } = await patientWith();
  Object.assign(surroundings, { sip: { address: "192.0.2.1", port: 0 } });
  const { of, isHealthy } = await examine(trunk);
  expect(of("connection")).toMatch(/fault: Nothing can be sent from this machine.*PARLEY_SIP_HOST/);
  expect(of("options")).toMatch(/^skipped/);
  expect(isHealthy).toBe(false);
});

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}
