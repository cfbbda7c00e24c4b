import { describe, expect, it } from "vitest";
import { NO_BODY, type ReceivedRequest, type ReceivedResponse, type SipRequest } from "../message/message.ts";
import { parseMessage } from "../message/parse-message.ts";
import { header, headerLines } from "../message/read-headers.ts";
import { writeUri } from "../message/uri.ts";
import { wire } from "../testing/sample-messages.ts";
import {
  belongsTo,
  buildDialogRequest,
  type Dialog,
  dialogFromResponse,
  nextHopUri,
  retarget,
  takeRequest,
} from "./dialog.ts";
import { readLegRecord } from "./dialog-record.ts";

const INVITE: SipRequest = {
  kind: "request",
  method: "INVITE",
  uri: "sip:+15550001@trunk.test",
  headers: [
    ["From", '"Parley; tag=no" <sip:+1999@trunk.test>;tag=us'],
    ["To", "<sip:+15550001@trunk.test>"],
    ["Call-ID", "c1"],
    ["CSeq", "3 INVITE"],
  ],
  body: NO_BODY,
};

function response(status: number, ...lines: string[]): ReceivedResponse {
  const outcome = parseMessage(
    wire([
      `SIP/2.0 ${status} x`,
      "Via: SIP/2.0/UDP h;branch=z9hG4bK1",
      "From: <sip:+1999@trunk.test>;tag=us",
      "To: <sip:+15550001@trunk.test>;tag=them",
      "Call-ID: c1",
      "CSeq: 3 INVITE",
      ...lines,
    ]),
  );
  if (!outcome.ok || outcome.message.kind !== "response") throw new Error("not a response");
  return outcome.message;
}

function request(method: string, cseq: number, ...lines: string[]): ReceivedRequest {
  const outcome = parseMessage(
    wire([
      `${method} sip:us@h SIP/2.0`,
      "Via: SIP/2.0/UDP h;branch=z9hG4bK2",
      "From: <sip:+15550001@trunk.test>;tag=them",
      "To: <sip:+1999@trunk.test>;tag=us",
      "Call-ID: c1",
      `CSeq: ${cseq} ${method}`,
      ...lines,
    ]),
  );
  if (!outcome.ok || outcome.message.kind !== "request") throw new Error("not a request");
  return outcome.message;
}

function dialogOf(...lines: string[]): Dialog {
  const dialog = dialogFromResponse(INVITE, response(200, ...lines));
  if (dialog === null) throw new Error("no dialog");
  return dialog;
}

const CONTACT = "Contact: <sip:gw@192.0.2.5:5070>";

describe("a dialog", () => {
  it("takes its routes from Record-Route in reverse, and its target from Contact", () => {
    const dialog = dialogOf("Record-Route: <sip:p2;lr>, <sip:p1;lr>", CONTACT);
    const [, bye] = buildDialogRequest(dialog, { method: "BYE" });
    expect(bye.uri).toBe("sip:gw@192.0.2.5:5070");
    expect(headerLines(bye, "Route")).toEqual(["<sip:p1;lr>", "<sip:p2;lr>"]);
    expect(header(bye, "From")).toBe('"Parley; tag=no" <sip:+1999@trunk.test>;tag=us');
    expect(header(bye, "To")).toBe("<sip:+15550001@trunk.test>;tag=them");
    expect(header(bye, "CSeq")).toBe("4 BYE");
    expect(nextHopUri(bye)).toMatchObject({ host: "p1" });
  });

  it("puts a strict router into the Request-URI and its target last", () => {
    const dialog = dialogOf("Record-Route: <sip:p2;lr>", "Record-Route: <sip:p1;method=X>", CONTACT);
    const [, bye] = buildDialogRequest(dialog, { method: "BYE" });
    expect(bye.uri).toBe("sip:p1");
    expect(headerLines(bye, "Route")).toEqual(["<sip:p2;lr>", "<sip:gw@192.0.2.5:5070>"]);
    const hop = nextHopUri({ ...bye, headers: [] });
    expect(hop === null ? "" : writeUri(hop)).toBe("sip:p1");
  });

  it("acknowledges with the number of the INVITE and continues with the next", () => {
    const dialog = dialogOf(CONTACT);
    const [afterAck, ack] = buildDialogRequest(dialog, { method: "ACK", cseqNumber: 3 });
    const [afterInfo, info] = buildDialogRequest(afterAck, { method: "INFO" });
    const [, late] = buildDialogRequest(afterInfo, { method: "ACK", cseqNumber: 3 });
    expect([ack, info, late].map((message) => header(message, "CSeq"))).toEqual(["3 ACK", "4 INFO", "3 ACK"]);
    expect(afterInfo.localCSeq).toBe(4);
  });

  it("is not created by ringing without a tag, but by an answer without a tag or a Contact", () => {
    expect(dialogFromResponse(INVITE, response(200))?.remoteTarget).toBe(INVITE.uri);
    const untagged = response(180, CONTACT);
    const to = { ...untagged.essentials.to, params: [] };
    expect(dialogFromResponse(INVITE, { ...untagged, essentials: { ...untagged.essentials, to } })).toBeNull();
    expect(dialogFromResponse(INVITE, response(180))?.remoteTarget).toBe(INVITE.uri);
  });

  it("knows its requests and refuses old ones", () => {
    const dialog = dialogOf(CONTACT);
    expect(belongsTo(dialog, request("BYE", 7))).toBe(true);
    const after = takeRequest(dialog, request("INFO", 7));
    expect(after?.remoteCSeq).toBe(7);
    expect(after && takeRequest(after, request("INFO", 7))).toBeNull();
  });

  it.each(["callId", "localTag", "remoteTag"] as const)("is not that of a request with another %s", (name) => {
    expect(belongsTo({ ...dialogOf(CONTACT), [name]: "x" }, request("BYE", 8))).toBe(false);
  });

  it("follows a peer that moves, but only where a request may move it", () => {
    const dialog = dialogOf(CONTACT);
    const moving = "Contact: <sip:new@192.0.2.6>";
    expect(takeRequest(dialog, request("INVITE", 1, moving))?.remoteTarget).toBe("sip:new@192.0.2.6");
    expect(takeRequest(dialog, request("INFO", 1, moving))?.remoteTarget).toBe("sip:gw@192.0.2.5:5070");
    expect(retarget(dialog, response(200, "Contact: <tel:+1>")).remoteTarget).toBe("sip:gw@192.0.2.5:5070");
  });

  it("survives being written down and read by another process", () => {
    const hop = { transport: "udp", address: "192.0.2.5", port: 5070 } as const;
    const record = { kind: "dialog", dialog: dialogOf(CONTACT), inviteCSeq: 3, hop } as const;
    const read = readLegRecord(JSON.parse(JSON.stringify(record)));
    expect(read).toEqual(record);
    for (const broken of [
      null,
      1,
      [],
      {},
      { kind: "dialog" },
      { ...record, hop: { ...hop, port: 70_000 } },
      { ...record, dialog: { ...record.dialog, callId: 5 } },
    ]) {
      expect(readLegRecord(broken)).toBeNull();
    }
  });
});
