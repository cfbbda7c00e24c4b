import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { WEBHOOK_TYPES } from "@parley/contract/webhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packNodes } from "./pack-nodes.ts";

interface Icon {
  readonly light: string;
  readonly dark: string;
}

interface Property {
  readonly name: string;
  readonly displayOptions?: { readonly show: Readonly<Record<string, readonly string[]>> };
  readonly options?: readonly { readonly value: string }[];
}

let folder: string;
let manifest: { readonly n8n: { readonly nodes: readonly string[]; readonly credentials: readonly string[] } };
// biome-ignore lint/suspicious/noExplicitAny: classes of the package.
let load: (file: string) => any;

/** Stands for n8n's, which is not under a free licence; the long test of the nodes has the original. */
const N8N_WORKFLOW = `
exports.NodeConnectionTypes = { Main: "main" };
exports.NodeApiError = class extends Error {};
exports.NodeOperationError = class extends Error {
  constructor(_node, error) { super(typeof error === "string" ? error : error.message); }
};`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-nodes-"));
  const tarball = await packNodes("sdk/n8n", folder);
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
  manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  mkdirSync(join(folder, "node_modules/n8n-workflow"), { recursive: true });
  writeFileSync(join(folder, "node_modules/n8n-workflow/index.js"), N8N_WORKFLOW);
  const require = createRequire(join(folder, "package.json"));
  load = (file) => {
    const [classOf] = Object.values(require(`./${file}`)) as (new () => unknown)[];
    if (!classOf) throw new Error(`${file} exports nothing`);
    return new classOf();
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the package is what n8n expects: CommonJS without dependencies, which may be published", () => {
  expect(manifest).toMatchObject({
    name: "n8n-nodes-parley",
    license: "MIT",
    peerDependencies: { "n8n-workflow": "*" },
    publishConfig: { access: "public", provenance: true },
  });
  for (const field of ["type", "private", "dependencies", "devDependencies"])
    expect(manifest).not.toHaveProperty(field);
  expect(readFileSync(join(folder, "LICENSE"), "utf8")).toContain("MIT License");
});

test("every node and credential has its icons and its codex file", () => {
  const { nodes, credentials } = manifest.n8n;
  for (const file of [...nodes, ...credentials]) {
    const loaded = load(file);
    const { light, dark } = (loaded.description?.icon ?? loaded.icon) as Icon;
    for (const icon of [light, dark])
      expect(existsSync(join(folder, dirname(file), icon.replace(/^file:/, ""))), icon).toBe(true);
  }
  for (const file of nodes) {
    const codex = JSON.parse(readFileSync(join(folder, file.replace(/\.js$/, ".json")), "utf8"));
    expect(codex.node).toBe(`n8n-nodes-parley.${load(file).description.name}`);
  }
});

test("the trigger offers events that the service sends", () => {
  const [events] = load("dist/nodes/ParleyTrigger/ParleyTrigger.node.js").description.properties as Property[];
  const offered = events?.options?.map(({ value }) => value) ?? [];
  // What happens to the endpoint of another program is none of a workflow's business.
  expect(offered.toSorted()).toEqual(WEBHOOK_TYPES.filter((type) => type !== "webhook.disabled").toSorted());
});

test("every operation that the node offers is carried out", async () => {
  const node = load("dist/nodes/Parley/Parley.node.js");
  const offered = (node.description.properties as Property[])
    .filter(({ name }) => name === "operation")
    .flatMap(({ displayOptions, options }) =>
      (options ?? []).map(({ value }) => ({ resource: displayOptions?.show["resource"]?.[0], operation: value })),
    );
  expect(offered).toHaveLength(8);
  const run = (parameters: Readonly<Record<string, unknown>>) =>
    node.execute.call({
      getInputData: () => [{ json: {} }],
      getNodeParameter: (name: string) => {
        if (name in parameters) return parameters[name];
        throw new Error("it began");
      },
      getNode: () => ({ id: "1", name: "Parley" }),
      continueOnFail: () => false,
      helpers: {},
      getCredentials: async () => {
        throw new Error("it began");
      },
    });
  for (const parameters of offered) await expect(run(parameters)).rejects.toThrow("it began");
  await expect(run({ resource: "call", operation: "nothing" })).rejects.toThrow("call has no operation nothing");
});
