import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Rings, answers immediately, echoes our audio, and waits for us to hang up; for sipp, the SIP tester of Debian. */
const SCENARIO = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="answers at once">
  <recv request="INVITE" crlf="true"/>
  ${send("180 Ringing")}
  ${send(
    "200 OK",
    [
      "v=0",
      "o=sipp 1 1 IN IP[local_ip_type] [local_ip]",
      "s=-",
      "c=IN IP[media_ip_type] [media_ip]",
      "t=0 0",
      "m=audio [media_port] RTP/AVP 0 101",
      "a=rtpmap:101 telephone-event/8000",
    ].join("\n"),
  )}
  <recv request="ACK" crlf="true"/>
  <recv request="BYE" crlf="true"/>
  ${send("200 OK", null, "")}
</scenario>
`;

function send(status: string, sdp: string | null = null, tag = ";tag=[pid]S[call_number]"): string {
  const lines = [
    `SIP/2.0 ${status}`,
    "[last_Via:]",
    "[last_From:]",
    `[last_To:]${tag}`,
    "[last_Call-ID:]",
    "[last_CSeq:]",
    "Contact: <sip:callee@[local_ip]:[local_port]>",
    ...(sdp === null ? [] : ["Content-Type: application/sdp"]),
    "Content-Length: [len]",
    "",
    ...(sdp === null ? [] : [sdp]),
  ];
  return `<send${sdp === null ? "" : ' retrans="500"'}><![CDATA[\n\n${lines.join("\n")}\n\n]]></send>`;
}

/** Starts sipp on these ports. It exits when its calls are over. */
export async function startSippCallee(
  folder: string,
  { sipPort, mediaPort, calls }: { sipPort: number; mediaPort: number; calls: number },
): Promise<ChildProcess> {
  const file = join(folder, "answers.xml");
  await writeFile(file, SCENARIO);
  const place = ["-i", "127.0.0.1", "-p", `${sipPort}`, "-mi", "127.0.0.1", "-mp", `${mediaPort}`, "-rtp_echo"];
  const sipp = spawn("sipp", ["-sf", file, ...place, "-m", `${calls}`, "-nostdin"], { stdio: "ignore", cwd: folder });
  // Rejects if there is no sipp; Debian has it in the package sip-tester.
  await once(sipp, "spawn");
  return sipp;
}
