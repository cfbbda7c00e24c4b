import { expect, test } from "vitest";
import { PacketReader, writePacket } from "./packets.ts";

test("messages between two processes arrive whole, however the network splits them", () => {
  const sent = [
    { kind: "json", value: { type: "press", keys: "1" } },
    { kind: "sound", bytes: Buffer.from([1, 2, 3, 4]) },
    { kind: "sound", bytes: Buffer.alloc(0) },
    { kind: "json", value: { type: "hang_up" } },
  ] as const;
  const bytes = Buffer.concat(sent.map(writePacket));
  const reader = new PacketReader();
  const received = [...bytes].flatMap((byte) => reader.read(Buffer.from([byte])));
  expect(received).toEqual(sent);
  expect(new PacketReader().read(bytes)).toEqual(sent);
});

test("data other than packets is rejected, and an implausible length is not awaited", () => {
  expect(() => new PacketReader().read(Buffer.from("GET / HTTP/1.1"))).toThrow("something else");
  expect(() => new PacketReader().read(Buffer.from([0, 0xff, 0xff, 0xff, 0xff]))).toThrow("something else");
});
