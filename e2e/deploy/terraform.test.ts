import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSettings } from "@parley/server/platform/config/read-settings";
import { parseToObject } from "hcl2-parser";
import { expect, test } from "vitest";
import { REPOSITORY } from "../harness/service-process.ts";

type Blocks = Record<string, Record<string, Record<string, unknown>>>;

const FOLDER = join(REPOSITORY, "deploy/terraform/aws");
const texts = globSync("*.tf", { cwd: FOLDER }).map((name) => readFileSync(join(FOLDER, name), "utf8"));
const text = texts.join("\n");
const script = readFileSync(join(FOLDER, "install.sh.tftpl"), "utf8");

/** A file that cannot be parsed gives null and the reason. */
function parse(source: string): Blocks {
  const [blocks, error] = parseToObject(source) as [Blocks | null, unknown];
  if (blocks === null) throw new Error(`not HCL: ${JSON.stringify(error)}`);
  return blocks;
}
const parsed = texts.map(parse);
const namesOf = (kind: string) => parsed.flatMap((blocks) => Object.keys(blocks[kind] ?? {}));
const addressesOf = (kind: string) =>
  parsed.flatMap((blocks) =>
    Object.entries(blocks[kind] ?? {}).flatMap(([type, named]) => Object.keys(named).map((name) => `${type}.${name}`)),
  );
const matches = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, found = ""]) => found));

test("a file that is not HCL is noticed", () => {
  expect(() => parse('resource "aws_eip" {')).toThrow("not HCL");
});

test("every variable is declared and used, and every resource that is referred to exists", () => {
  expect([...matches(/\bvar\.(\w+)/g)].toSorted()).toEqual(namesOf("variable").toSorted());
  const declared = new Set([...addressesOf("resource"), ...addressesOf("data").map((address) => `data.${address}`)]);
  const referred = matches(/(?<![\w".-])((?:data\.)?(?:aws|random)_\w+\.\w+)\./g);
  expect(declared.size).toBeGreaterThan(10);
  expect([...referred].filter((address) => !declared.has(address))).toEqual([]);
});

test("the machine is given settings that the service accepts", () => {
  const settings = /<<-SETTINGS\n([\s\S]*?)\n {2}SETTINGS/.exec(text)?.[1] ?? "";
  const values: Record<string, string> = {
    "aws_db_instance.database.endpoint": "db.example:5432",
    "aws_eip.machine.public_ip": "192.0.2.1",
    "aws_s3_bucket.recordings.bucket": "parley-recordings",
    'join(",", var.proxy_ranges)': "10.0.0.0/16",
    "var.public_url": "https://parley.example",
    "var.region": "eu-central-1",
  };
  const environment = Object.fromEntries(
    settings.split("\n").map((line) => {
      const [, name = "", value = ""] = /^\s*([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
      return [name, value.replace(/\$\{([^}]*)\}/g, (_all, expression) => values[expression] ?? "x".repeat(48))];
    }),
  );
  expect(readSettings(environment, FOLDER)).toMatchObject({
    databaseUrl: `postgresql://parley:${"x".repeat(48)}@db.example:5432/parley?sslmode=verify-full&sslrootcert=/etc/parley/database-ca.pem`,
    bucket: { bucket: "parley-recordings", region: "eu-central-1", credentials: null },
    publicUrl: "https://parley.example",
    trustProxy: ["10.0.0.0/16"],
    secret: "x".repeat(48),
  });
});

test("the machine installs itself by a script that is one, with what the archive contains", () => {
  const argument = /templatefile\("[^"]*", \{([^}]*)\}/.exec(text)?.[1] ?? "";
  const given = [...argument.matchAll(/^\s*(\w+)\s*=/gm)].map(([, name = ""]) => name);
  const used = new Set([...script.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name));
  expect([...used].toSorted()).toEqual(given.toSorted());
  const filledIn = script.replace(/\$\{(\w+)\}/g, "value");
  expect(spawnSync("bash", ["-n"], { input: filledIn, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  const certificate = /sslrootcert=(\S+)/.exec(text)?.[1];
  expect(certificate).toBeDefined();
  expect(script).toContain(`--output ${certificate}`);
  const files = [...script.matchAll(/\/opt\/parley\/(\S+\.service)/g)].map(([, path = ""]) => path);
  expect(files.map((path) => existsSync(join(REPOSITORY, path)))).toEqual([true]);
});
