import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import { BUNDLE_VARIABLE, REPOSITORY } from "./service-process.ts";

const FOLDER = join(REPOSITORY, "node_modules/.cache/parley-bundles");
const UNUSED_MS = 24 * 60 * 60_000;

/** They load libraries or files of their own by path. */
const NOT_BUNDLED = ["onnxruntime-node", "graphile-worker", "@scalar/fastify-api-reference"];

/**
 * Bundles the service once per test run, except for thorough runs, which start the sources. Several projects name this
 * setup.
 */
export default async function setup(): Promise<void> {
  if (process.env["PARLEY_TESTS_THOROUGH"] === "1") return;
  process.env[BUNDLE_VARIABLE] ??= await bundleService();
}

/**
 * Writes the service and the programs of its threads and processes as a few files, and returns the first of them. The
 * 2,000 modules of the sources cost a start more than everything else that it does. A module keeps the address of its
 * source, so that it finds the files beside it.
 */
async function bundleService(): Promise<string> {
  const built = (await build({
    configFile: false,
    root: REPOSITORY,
    logLevel: "error",
    ssr: { noExternal: true, external: NOT_BUNDLED },
    plugins: [keepAddresses()],
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: "esnext",
      rolldownOptions: {
        input: { main: join(REPOSITORY, "server/src/main.ts") },
        output: { format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
        onLog: (level, log, report) => (log.code === "EVAL" ? undefined : report(level, log)),
      },
    },
  })) as Rolldown.RolldownOutput;
  const folder = join(FOLDER, digestOf(built));
  if (!existsSync(folder)) writeWhole(built, folder);
  utimesSync(folder, new Date(), new Date());
  removeUnused();
  return join(folder, "main.mjs");
}

/** A file that is started as a thread or process becomes a program of the bundle. */
function keepAddresses(): Plugin {
  return {
    name: "keep-addresses",
    enforce: "pre",
    transform: {
      filter: { code: /import\.meta\.(url|dirname|filename)|__(dirname|filename)\b/ },
      handler(code, id) {
        const file = id.replace(/\?.*/, "");
        const program = /new URL\("\.\/([\w-]+-(?:child|thread|worker))\.ts", import\.meta\.url\)/g;
        const changed = code.replace(program, (_, name: string) => {
          this.emitFile({ type: "chunk", id: join(dirname(file), `${name}.ts`), fileName: `${name}.mjs` });
          return `new URL("./${name}.mjs", import.meta["url"])`;
        });
        return changed
          .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(file).href))
          .replace(/import\.meta\.dirname|\b__dirname\b/g, JSON.stringify(dirname(file)))
          .replace(/import\.meta\.filename|\b__filename\b/g, JSON.stringify(file));
      },
    },
  };
}

function digestOf({ output }: Rolldown.RolldownOutput): string {
  const hash = createHash("sha256");
  for (const each of output) hash.update(each.fileName).update(each.type === "chunk" ? each.code : each.source);
  return hash.digest("hex").slice(0, 16);
}

/** Another test run may start services from the same folder: it is there as a whole or not at all. */
function writeWhole({ output }: Rolldown.RolldownOutput, folder: string): void {
  const unfinished = join(FOLDER, randomUUID());
  mkdirSync(unfinished, { recursive: true });
  for (const each of output)
    writeFileSync(join(unfinished, each.fileName), each.type === "chunk" ? each.code : each.source);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function removeUnused(): void {
  for (const name of readdirSync(FOLDER)) {
    const folder = join(FOLDER, name);
    if (Date.now() - statSync(folder).mtimeMs > UNUSED_MS) rmSync(folder, { recursive: true, force: true });
  }
}
