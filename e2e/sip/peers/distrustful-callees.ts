import { createHash } from "node:crypto";
import { receive, reply, scenario, TALKS_UNTIL_WE_HANG_UP } from "./sipp-scenario.ts";
import { AUDIO } from "./sipp-sdp.ts";

// Carriers that require a password, each a scenario for sipp.

/** Verifies the response itself, with the algorithm of sipp. */
export function wantsPassword401(username: string, password: string): string {
  const nonce = "47ebe028cda119c35d4877b383027d28da013815";
  const challenge = `WWW-Authenticate: Digest realm="trunk.test", nonce="${nonce}", qop="auth", algorithm=MD5`;
  return scenario(
    receive("INVITE"),
    reply(401, { headers: [challenge], repeats: true }),
    receive("ACK"),
    `<recv request="INVITE" crlf="true"><action><verifyauth assign_to="ok" username="${username}" password="${password}"/></action></recv>`,
    '<nop hide="true" test="ok" next="good"/>',
    reply(403, { reason: "Forbidden", repeats: true }),
    receive("ACK"),
    '<nop hide="true" next="end"/>',
    '<label id="good"/>',
    reply(200, { sdp: AUDIO, repeats: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
    '<label id="end"/>',
  );
}

/** sipp verifies only `Authorization`, so that the expected response to the fixed nonce is worked out here (RFC 2617, no qop). */
export function wantsPassword407(username: string, password: string, uri: string): string {
  const md5 = (text: string) => createHash("md5").update(text).digest("hex");
  const nonce = "5f3a";
  const expected = md5(`${md5(`${username}:trunk.test:${password}`)}:${nonce}:${md5(`INVITE:${uri}`)}`);
  const challenge = `Proxy-Authenticate: Digest realm="trunk.test", nonce="${nonce}"`;
  const check = 'search_in="hdr" header="Proxy-Authorization:" check_it="false" assign_to="ok"';
  return scenario(
    receive("INVITE"),
    reply(407, { headers: [challenge], repeats: true }),
    receive("ACK"),
    `<recv request="INVITE" crlf="true"><action><ereg regexp="response=.${expected}" ${check}/></action></recv>`,
    '<nop hide="true" test="ok" next="good"/>',
    reply(407, { headers: [challenge], repeats: true }),
    receive("ACK"),
    '<nop hide="true" next="end"/>',
    '<label id="good"/>',
    reply(200, { sdp: AUDIO, repeats: true }),
    ...TALKS_UNTIL_WE_HANG_UP,
    '<label id="end"/>',
  );
}
