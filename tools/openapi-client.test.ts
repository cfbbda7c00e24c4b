import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buildOpenApi } from "@parley/contract/openapi";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { afterAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "parley-client-"));
const TIMEOUT_MS = 120_000;
afterAll(() => rmSync(folder, { recursive: true }));

// What a newcomer would write, with the two packages that most TypeScript clients use.
const CLIENT = `
import createClient from "openapi-fetch";
import type { components, paths } from "./types.ts";

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:3000", headers: { Authorization: "Bearer svc_test_x" } });

// Two fields are enough: everything with a default may be left out.
const placed = await client.POST("/api/v1/calls", { body: { phoneNumber: "+15550100001", agentId: "agt_1" } });
const status: "initiated" | "in_progress" | "completed" | "failed" | undefined = placed.data?.data.status;
const agent = await client.POST("/api/v1/agents", { body: { name: "Mine" } });
const revision: number | undefined = agent.data?.data.revision;
const key: components["schemas"]["NewWebhookEndpoint"] = { url: "https://app.example/in" };

// A list is JSON and nothing else, and has a cursor to continue.
const listed = await client.GET("/api/v1/calls", { params: { query: { limit: 5, status: "completed" } } });
const first: string | undefined = listed.data?.data[0]?.phoneNumber;
const cursor: string | null | undefined = listed.data?.nextCursor;
const events = await client.GET("/api/v1/calls/{id}/events", { params: { path: { id: "call_1" } } });
const sequence: number | undefined = events.data?.data[0]?.sequence;

// An export is text.
const exported = await client.GET("/api/v1/calls.csv", { parseAs: "text" });
const csv: string | undefined = exported.data;

// A refusal has the one shape.
const code: string | undefined = placed.error?.error.code;

// @ts-expect-error A field that does not exist is found while compiling.
const wrong: components["schemas"]["NewCall"] = { phoneNumber: "+15550100001", agentId: "agt_1", phone: "x" };
// @ts-expect-error And so is one that is missing.
await client.POST("/api/v1/calls", { body: { phoneNumber: "+15550100001" } });

export const used = [wrong, status, revision, key, first, cursor, sequence, csv, code];
`;

test(
  "a client generated from the OpenAPI document may omit fields with a default, and reads lists as JSON",
  async () => {
    // As the service sends it.
    const document = JSON.parse(JSON.stringify(buildOpenApi({ version: "0.1.0" }))) as OpenAPI3;
    writeFileSync(join(folder, "types.ts"), astToString(await openapiTS(document)));
    writeFileSync(join(folder, "client.ts"), CLIENT);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          ...{
            strict: true,
            noEmit: true,
            skipLibCheck: true,
            target: "es2022",
            module: "nodenext",
            lib: ["es2022", "dom"],
          },
          allowImportingTsExtensions: true,
          types: [],
        },
        files: ["client.ts"],
      }),
    );
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", folder], {
      encoding: "utf8",
      timeout: TIMEOUT_MS,
    });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  },
  TIMEOUT_MS,
);
