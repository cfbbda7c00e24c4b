import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Random } from "@parley/audio/testing/random";
import type { HeaderLine, ReceivedRequest } from "@parley/telephony/sip/message/message";
import { tagOf } from "@parley/telephony/sip/message/name-addr";
import { header } from "@parley/telephony/sip/message/read-headers";
import { mutate } from "../../sip/fuzz/mutate.ts";
import { faxSdp, type ScriptedCall } from "./scripted-call.ts";

/** What a callee does in a call. It rejects if something did not happen as expected. */
export type FarScript = (call: ScriptedCall) => Promise<void>;

const TALK_MS = 300;

export const answers: FarScript = async (call) => {
  call.reply(call.invite, 180);
  await call.answer();
  await call.isHungUpOn();
};

export const answersAndHangsUp: FarScript = async (call) => {
  call.reply(call.invite, 180);
  await call.answer();
  await setTimeout(TALK_MS);
  await call.hangsUp();
};

export function refuses(status: number, headers: readonly HeaderLine[] = []): FarScript {
  return (call) => call.refuse(status, { headers });
}

export const ringsUntilCanceled: FarScript = async (call) => {
  call.reply(call.invite, 180);
  call.reply(await call.receives("CANCEL"), 200);
  await call.refuse(487);
};

/** RFC 3261 section 9.1: the answer was already sent when the CANCEL arrived. */
export const answersWhenCanceled: FarScript = async (call) => {
  call.reply(call.invite, 180);
  call.reply(await call.receives("CANCEL"), 200);
  await call.answer();
  await call.isHungUpOn();
};

/** The digest by RFC 2617 section 3.2.2, implemented here again so that our code is not tested against itself. */
export function wantsPassword(status: 401 | 407, password: string, whenWrong: FarScript | null): FarScript {
  const [ask, give] =
    status === 401 ? ["WWW-Authenticate", "Authorization"] : ["Proxy-Authenticate", "Proxy-Authorization"];
  const challenge: HeaderLine = [ask, 'Digest realm="trunk.test", nonce="47ebe028", qop="auth", algorithm=MD5'];
  return async (call) => {
    await call.refuse(status, { headers: [challenge] });
    const again = await call.receives("INVITE");
    if (isRight(again, give, password)) {
      await call.answer({}, again);
      await call.isHungUpOn();
    } else if (whenWrong === null) throw new Error("the password was wrong");
    else await call.refuse(status === 401 ? 403 : 407, { headers: [challenge] }, again);
  };
}

function isRight(request: ReceivedRequest, name: string, password: string): boolean {
  const given = header(request, name) ?? "";
  const part = (key: string) => new RegExp(`\\b${key}="?([^",]*)`).exec(given)?.[1] ?? "";
  const md5 = (text: string) => createHash("md5").update(text).digest("hex");
  const secret = md5(`${part("username")}:trunk.test:${password}`);
  const what = md5(`${request.method}:${part("uri")}`);
  return part("response") === md5(`${secret}:${part("nonce")}:${part("nc")}:${part("cnonce")}:auth:${what}`);
}

/** RFC 3262: with early media before the answer, acknowledged by PRACK if it is reliable. */
export function soundsEarly(isReliable: boolean): FarScript {
  return async (call) => {
    const headers: readonly HeaderLine[] = isReliable
      ? [
          ["Require", "100rel"],
          ["RSeq", "5"],
        ]
      : [];
    call.reply(call.invite, 183, { sdp: call.sdp(), headers });
    if (isReliable) call.reply(await call.receives("PRACK"), 200);
    await setTimeout(TALK_MS);
    await call.answer();
    await call.isHungUpOn();
  };
}

/** RFC 3261 section 13.3.1.4: says it again although it was acknowledged. */
export const answersTwice: FarScript = async (call) => {
  await call.answer();
  await call.answer();
  await call.hangsUp();
};

export const confirmsByeLate: FarScript = async (call) => {
  await call.answer();
  const bye = await call.receives("BYE");
  await setTimeout(TALK_MS);
  call.reply(bye, 200);
};

export const neverConfirmsBye: FarScript = async (call) => {
  await call.answer();
  await call.receives("BYE");
};

/** RFC 3264 section 8: on hold, back again, and in the other law. */
export const holdsAndChangesCodec: FarScript = async (call) => {
  await call.answer();
  const offers = [
    { sdp: call.sdp({ version: 2, direction: "sendonly" }), wants: "a=recvonly" },
    { sdp: call.sdp({ version: 3 }), wants: "a=sendrecv" },
    { sdp: call.sdp({ version: 4, payloadType: 8 }), wants: "RTP/AVP 8" },
  ];
  for (const { sdp, wants } of offers) {
    const { status, body } = await call.asks("INVITE", { sdp });
    if (status !== 200 || !body.includes(wants)) throw new Error(`${status} without ${wants}: ${body.toString()}`);
    await setTimeout(100);
  }
  await call.hangsUp();
};

/** RFC 3261 section 13.2.2.4: a second phone answers, and is hung up on. */
export const forks: FarScript = async (call) => {
  await call.answer({ phone: "1" });
  await call.answer({ phone: "2" });
  const bye = await call.receives("BYE");
  call.reply(bye, 200);
  if (tagOf(bye.essentials.to) !== "far2") throw new Error(`the wrong phone was hung up on: ${header(bye, "To")}`);
  await setTimeout(TALK_MS);
  await call.hangsUp({ phone: "1" });
};

/** RFC 4028 section 9: the callee refreshes the session. */
export const refreshesItself: FarScript = async (call) => {
  const alive: readonly HeaderLine[] = [
    ["Session-Expires", "1800;refresher=uas"],
    ["Require", "timer"],
  ];
  await call.answer({ headers: alive });
  const { status } = await call.asks("UPDATE", {
    headers: [
      ["Session-Expires", "1800;refresher=uac"],
      ["Supported", "timer"],
    ],
  });
  if (status !== 200) throw new Error(`the UPDATE got ${status}`);
  await call.hangsUp();
};

/** RFC 4028 section 10: we have to refresh it, by a re-INVITE, before half the time is over. */
export const wantsToBeRefreshed: FarScript = async (call) => {
  const alive: readonly HeaderLine[] = [
    ["Session-Expires", "90;refresher=uac"],
    ["Require", "timer"],
  ];
  await call.answer({ headers: alive });
  await call.answer({ headers: alive }, await call.receives("INVITE"));
  await call.hangsUp();
};

export const forgetsToRefresh: FarScript = async (call) => {
  await call.answer({
    headers: [
      ["Session-Expires", "90;refresher=uas"],
      ["Require", "timer"],
    ],
  });
  await call.isHungUpOn();
};

export const wantsFax: FarScript = async (call) => {
  await call.answer();
  const { status } = await call.asks("INVITE", { sdp: faxSdp("127.0.0.1", 2) });
  if (status !== 488) throw new Error(`T.38 got ${status}`);
  await call.hangsUp();
};

export const saysNothing: FarScript = () => Promise.resolve();

const BABBLED = [100, 180, 183, 200, 401, 486, 487, 503] as const;

/** Replies to everything with mutated responses. */
export function babbles(random: Random): FarScript {
  return async (call) => {
    for (let request = call.invite; ; request = await call.receivesAny()) {
      for (let times = 0; times < 3; times++)
        call.garble(request, random.pick(BABBLED), (bytes) => mutate(bytes, random));
    }
  };
}
