import { describe, expect, it } from "vitest";
import { NO_BODY, type ReceivedResponse, type SipRequest } from "../message/message.ts";
import { parseMessage } from "../message/parse-message.ts";
import { header } from "../message/read-headers.ts";
import { wire } from "../testing/sample-messages.ts";
import { seededRandom } from "../testing/seeded-random.ts";
import { authenticate, forNextRequest, NOT_CHALLENGED, takeChallenge } from "./authenticate.ts";
import { chooseChallenge, parseChallenge, readAuthParams } from "./challenge.ts";
import { answerChallenge, digestResponse } from "./digest.ts";

function challengeOf(line: string) {
  const challenge = parseChallenge(line);
  if (challenge === null) throw new Error(line);
  return challenge;
}

function refusal(status: 401 | 407, ...challenges: string[]): ReceivedResponse {
  const name = status === 407 ? "Proxy-Authenticate" : "WWW-Authenticate";
  const outcome = parseMessage(
    wire([
      `SIP/2.0 ${status} x`,
      "Via: SIP/2.0/UDP h;branch=z9hG4bK1",
      "From: <sip:a@b>;tag=1",
      "To: <sip:a@b>;tag=2",
      "Call-ID: 1",
      "CSeq: 1 INVITE",
      ...challenges.map((challenge) => `${name}: ${challenge}`),
    ]),
  );
  if (!outcome.ok || outcome.message.kind !== "response") throw new Error("not a response");
  return outcome.message;
}

const REQUEST: SipRequest = {
  kind: "request",
  method: "INVITE",
  uri: "sip:bob@trunk.test",
  headers: [],
  body: NO_BODY,
};
const ALICE = { username: "alice", password: "s3cret" };

describe("digest answers", () => {
  // RFC 2617 section 3.5.
  it("match the published example with MD5", () => {
    const challenge = challengeOf(
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    );
    const credentials = { username: "Mufasa", password: "Circle Of Life" };
    const input = { challenge, credentials, method: "GET", uri: "/dir/index.html", nonceCount: 1, cnonce: "0a4f113b" };
    expect(digestResponse(input)).toBe("6629fae49393a05397450978507c4ef1");
    expect(answerChallenge(input)).toContain("qop=auth, nc=00000001");
  });

  // RFC 7616 section 3.9.1.
  it.each([
    ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
    ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
  ])("match the published example with %s", (algorithm, expected) => {
    const challenge = challengeOf(
      `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
    );
    const credentials = { username: "Mufasa", password: "Circle of Life" };
    const cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
    const input = { challenge, credentials, method: "GET", uri: "/dir/index.html", nonceCount: 1, cnonce };
    expect(digestResponse(input)).toBe(expected);
  });

  it("leave out what a challenger of the old kind does not know", () => {
    const challenge = challengeOf('Digest realm="trunk.test", nonce="abc"');
    const value = answerChallenge({
      challenge,
      credentials: ALICE,
      method: "INVITE",
      uri: "sip:b@c",
      nonceCount: 1,
      cnonce: "x",
    });
    expect(value).not.toMatch(/qop|nc=|cnonce|algorithm|opaque/);
    // md5(md5(alice:trunk.test:s3cret):abc:md5(INVITE:sip:b@c))
    expect(readAuthParams(value.slice(7)).get("response")).toMatch(/^[0-9a-f]{32}$/);
  });

  it("depend on the cnonce in the -sess kinds", () => {
    const challenge = challengeOf('Digest realm="r", nonce="n", algorithm=SHA-256-sess, qop="auth"');
    const answers = ["a", "b"].map((cnonce) =>
      digestResponse({ challenge, credentials: ALICE, method: "BYE", uri: "sip:x", nonceCount: 1, cnonce }),
    );
    expect(answers[0]).not.toBe(answers[1]);
  });

  it("quote what needs it", () => {
    const challenge = challengeOf('Digest realm="a \\"b\\"", nonce="n\\\\"');
    const value = answerChallenge({
      challenge,
      credentials: { username: 'o"hara', password: "p" },
      method: "BYE",
      uri: "sip:x",
      nonceCount: 1,
      cnonce: "c",
    });
    expect(value).toContain('username="o\\"hara", realm="a \\"b\\"", nonce="n\\\\"');
  });
});

describe("challenges", () => {
  it("are answered with the strongest algorithm offered", () => {
    const lines = [
      'Digest realm="r", nonce="1", algorithm=MD5, qop="auth"',
      'Digest realm="r", nonce="2", algorithm=SHA-512-256, qop="auth"',
      'Digest realm="r", nonce="3", algorithm=sha-256, qop="auth"',
      "Basic realm=x",
    ];
    expect(chooseChallenge(lines)).toMatchObject({ nonce: "3", algorithm: "SHA-256", algorithmText: "sha-256" });
  });

  it.each(["", "Basic realm=x", "Digest nonce=1", 'Digest realm="r", nonce="n", qop="auth-int"', "Digest ,,,=,"])(
    "that cannot be answered are skipped: %j",
    (line) => {
      expect(parseChallenge(line)).toBeNull();
    },
  );

  it("of a peer and of a proxy are both answered", () => {
    const first = takeChallenge(NOT_CHALLENGED, refusal(407, 'Digest realm="p", nonce="1", qop="auth"'));
    const second = first && takeChallenge(first, refusal(401, 'Digest realm="u", nonce="2"'));
    const { request } = authenticate(REQUEST, second ?? NOT_CHALLENGED, ALICE, seededRandom(1));
    expect(header(request, "Proxy-Authorization")).toContain('nonce="1"');
    expect(header(request, "Authorization")).toContain('nonce="2"');
  });

  it("that come again mean a wrong password, unless the nonce was stale", () => {
    const state = takeChallenge(NOT_CHALLENGED, refusal(401, 'Digest realm="r", nonce="1"'));
    if (state === null) throw new Error("refused");
    expect(takeChallenge(state, refusal(401, 'Digest realm="r", nonce="2"'))).toBeNull();
    expect(takeChallenge(state, refusal(401, 'Digest realm="r", nonce="2", stale=TRUE'))).not.toBeNull();
  });

  it("that stay stale are not answered indefinitely", () => {
    let state: ReturnType<typeof takeChallenge> = NOT_CHALLENGED;
    let answered = 0;
    while (state !== null && answered < 10) {
      state = takeChallenge(state, refusal(401, 'Digest realm="r", nonce="2", stale=true'));
      if (state !== null) answered += 1;
    }
    expect(answered).toBe(3);
  });

  it("are answered again for the next request, counting how often the nonce was used", () => {
    const state = takeChallenge(NOT_CHALLENGED, refusal(401, 'Digest realm="r", nonce="1", qop="auth"'));
    const first = authenticate(REQUEST, state ?? NOT_CHALLENGED, ALICE, seededRandom(1));
    const second = authenticate({ ...REQUEST, method: "BYE" }, forNextRequest(first.state), ALICE, seededRandom(2));
    expect(header(first.request, "Authorization")).toContain("nc=00000001");
    expect(header(second.request, "Authorization")).toContain("nc=00000002");
    expect(takeChallenge(second.state, refusal(401, 'Digest realm="r", nonce="9"'))).toMatchObject({
      peer: { nonceCount: 0 },
    });
  });
});
