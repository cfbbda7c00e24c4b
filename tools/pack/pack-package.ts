import { readdirSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";
import { npmPack } from "./npm-pack.ts";
import { publishedReadme } from "./published-readme.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

const THIRD_PARTY = "THIRD-PARTY.txt";
const ROOT = resolve(import.meta.dirname, "../..");
/** Guides that programs of these packages read. */
const GUIDES: Readonly<Record<string, readonly string[]>> = {
  "sdk/mcp": ["agents", "expressions", "writing-exits", "simulated-network", "trying-agents"],
};

/**
 * Packs one of our programs for npm: one file of JavaScript with everything that it uses, so that installing it installs nothing
 * else. Returns the path of the tarball.
 */
export async function packPackage(folder: string, outDir: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8")) as Manifest;
  const staging = await mkdtemp(join(tmpdir(), "parley-pack-"));
  try {
    const bin: Record<string, string> = {};
    const bundled: string[] = [];
    for (const [name, source] of Object.entries(manifest.bin)) {
      bundled.push(...(await bundle(join(ROOT, folder, source), join(staging, "dist"), name)));
      await chmod(join(staging, "dist", `${name}.js`), 0o755);
      bin[name] = `./dist/${name}.js`;
    }
    const { name, version, description, license, type, engines } = manifest;
    const published = {
      name,
      version,
      description,
      license,
      type,
      engines,
      bin,
      files: ["dist", "guides", THIRD_PARTY],
      publishConfig: { access: "public", provenance: true },
    };
    await writeFile(join(staging, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
    await copyFile(join(ROOT, folder, "LICENSE"), join(staging, "LICENSE"));
    const readme = await readFile(join(ROOT, folder, "README.md"), "utf8");
    await writeFile(join(staging, "README.md"), publishedReadme(readme));
    await writeFile(join(staging, THIRD_PARTY), renderThirdParty(bundled));
    for (const guide of GUIDES[folder] ?? []) {
      await mkdir(join(staging, "guides"), { recursive: true });
      await copyFile(join(ROOT, "docs/guides", `${guide}.md`), join(staging, "guides", `${guide}.md`));
    }
    return await npmPack(staging, outDir);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Returns the files that went into it. */
async function bundle(entry: string, outDir: string, name: string): Promise<string[]> {
  const output = await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    build: {
      ssr: true,
      target: "node20",
      outDir,
      emptyOutDir: false,
      minify: false,
      rollupOptions: { input: { [name]: entry }, output: { entryFileNames: "[name].js", format: "es" } },
    },
    ssr: { noExternal: true, target: "node" },
  });
  const [bundled] = Array.isArray(output) ? output : [output];
  if (!bundled || !("output" in bundled)) throw new Error(`${entry} was not bundled`);
  return bundled.output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** The texts of its licence and of its notices. */
  readonly texts: readonly string[];
}

const TITLE = "Packages that are contained in this one, and their licences.";
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;

/** What the licences of bundled packages require: who made them, and under which terms. Takes the files of the bundle. */
function renderThirdParty(moduleIds: readonly string[]): string {
  const folders = new Set(moduleIds.map(packageFolder).filter((folder) => folder !== null));
  const packages = [...folders].map(readPackage).toSorted((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
  const sections = new Map(packages.map((each) => [titleOf(each), each]));
  return [TITLE, ...[...sections].map(([title, each]) => `${title}\n\n${each.texts.join("\n\n")}`)].join(
    `\n\n${"-".repeat(80)}\n\n`,
  );
}

const titleOf = ({ name, version, licence }: BundledPackage) => `${name} ${version} (${licence})`;

/** Null for our own files, and for what the bundler adds. */
function packageFolder(moduleId: string): string | null {
  const file = moduleId.replace(/^\0/, "").replace(/\?.*$/, "");
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
  return folder ?? null;
}

function readPackage(folder: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
    readonly author?: string | { readonly name: string };
  };
  const { name, version, license: licence } = manifest;
  if (licence === undefined) throw new Error(`${name} names no licence`);
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  const author = typeof manifest.author === "string" ? manifest.author : manifest.author?.name;
  return { name, version, licence, texts: texts.length > 0 ? texts : [`By ${author ?? `the authors of ${name}`}.`] };
}
