import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;

/** What the stub says of a name: its addresses of one family, a response code (RFC 1035 section 4.1.1), or nothing. */
export type DnsAnswer = readonly string[] | "SERVFAIL" | "NXDOMAIN" | "silence";

export interface DnsStub {
  readonly server: string;
  close(): Promise<void>;
}

/** A name server on the loopback, with one question and no compression but the one every answer uses. */
export async function openDnsStub(answer: (name: string, family: 4 | 6) => DnsAnswer): Promise<DnsStub> {
  const socket = createSocket("udp4");
  socket.on("message", (query: Buffer, from: RemoteInfo) => {
    const { name, type, end } = readQuestion(query);
    const said = type === TYPE_A ? answer(name, 4) : type === TYPE_AAAA ? answer(name, 6) : [];
    if (said !== "silence") socket.send(makeReply(query.subarray(0, end), said, type), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    server: `127.0.0.1:${socket.address().port}`,
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function makeReply(question: Buffer, said: Exclude<DnsAnswer, "silence">, type: number): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  const code = said === "SERVFAIL" ? 2 : said === "NXDOMAIN" ? 3 : 0;
  const addresses = typeof said === "string" ? [] : said;
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray());
    const record = Buffer.alloc(12);
    // A pointer to the name in the question (RFC 1035 section 4.1.4).
    record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(0, 6);
    record.writeUInt16BE(data.byteLength, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...records]);
}
