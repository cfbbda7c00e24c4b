import type { Random } from "@parley/audio/testing/random";

type Mutation = (bytes: Buffer, random: Random) => Buffer;

/** What has broken parsers before: ends of ranges, ends of strings, and characters with a meaning elsewhere. */
const TROUBLE: readonly Buffer[] = [
  "\0",
  "\r\n",
  "\r\n\r\n",
  "\r\n ",
  ";".repeat(300),
  '"',
  "<",
  "%00",
  "%",
  "::",
  "[::1",
  "-1",
  "4294967296",
  "99999999999999999999999",
  "NaN",
  "__proto__",
  "{{7*7}}",
  "%s%s%n",
  "a".repeat(9_000),
  "\u00e9\ud83d\ude00",
].map((text) => Buffer.from(text));

const flipBits: Mutation = (bytes, random) => {
  const copy = Buffer.from(bytes);
  for (let count = random.wholeBetween(1, 8); count > 0 && copy.length > 0; count--) {
    const at = random.wholeBetween(0, copy.length - 1);
    copy.writeUInt8(copy.readUInt8(at) ^ (1 << random.wholeBetween(0, 7)), at);
  }
  return copy;
};

const cut: Mutation = (bytes, random) => bytes.subarray(0, random.wholeBetween(0, bytes.length));

const leaveOut: Mutation = (bytes, random) => {
  const [start, end] = span(bytes, random);
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
};

const repeat: Mutation = (bytes, random) => {
  const [start, end] = span(bytes, random);
  const times = random.wholeBetween(2, 20);
  return Buffer.concat([
    bytes.subarray(0, start),
    ...Array(times).fill(bytes.subarray(start, end)),
    bytes.subarray(end),
  ]);
};

const insertTrouble: Mutation = (bytes, random) => {
  const at = random.wholeBetween(0, bytes.length);
  return Buffer.concat([bytes.subarray(0, at), random.pick(TROUBLE), bytes.subarray(at)]);
};

/** A message is lines: whole ones go missing, come twice, change places or get a value of another kind. */
const shuffleLines: Mutation = (bytes, random) => {
  const lines = bytes.toString("latin1").split("\r\n");
  const at = random.wholeBetween(0, lines.length - 1);
  const other = random.wholeBetween(0, lines.length - 1);
  const line = lines[at] ?? "";
  switch (random.wholeBetween(0, 3)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(other, 0, line);
      break;
    case 2:
      lines[at] = lines[other] ?? "";
      lines[other] = line;
      break;
    default:
      lines[at] = `${line.split(":")[0]}: ${random.pick(TROUBLE).toString("latin1")}`;
  }
  return Buffer.from(lines.join("\r\n"), "latin1");
};

const noise: Mutation = (_, random) =>
  Buffer.from(Array.from({ length: random.wholeBetween(0, 1_400) }, () => random.wholeBetween(0, 255)));

const MUTATIONS: readonly Mutation[] = [
  flipBits,
  flipBits,
  cut,
  leaveOut,
  repeat,
  insertTrouble,
  insertTrouble,
  shuffleLines,
  shuffleLines,
  noise,
];

/** The largest datagram that IPv4 carries. */
const BYTES_MAX = 65_507;

/** A message that was valid, with one to three things wrong. The same seed of `random` gives the same. */
export function mutate(valid: Buffer, random: Random): Buffer {
  let bytes = valid;
  for (let count = random.wholeBetween(1, 3); count > 0; count--) bytes = random.pick(MUTATIONS)(bytes, random);
  return bytes.subarray(0, BYTES_MAX);
}

function span(bytes: Buffer, random: Random): [start: number, end: number] {
  const start = random.wholeBetween(0, bytes.length);
  return [start, Math.min(bytes.length, start + random.wholeBetween(1, 60))];
}
