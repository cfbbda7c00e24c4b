import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";
import { npmPack } from "./npm-pack.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

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
    for (const [name, source] of Object.entries(manifest.bin)) {
      await bundle(join(ROOT, folder, source), join(staging, "dist"), name);
      await chmod(join(staging, "dist", `${name}.js`), 0o755);
      bin[name] = `./dist/${name}.js`;
    }
    const { name, version, description, license, type, engines } = manifest;
    const published = {
      ...{ name, version, description, license, type, engines, bin, files: ["dist", "guides"] },
      publishConfig: { access: "public", provenance: true },
    };
    await writeFile(join(staging, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
    for (const file of ["README.md", "LICENSE"]) await copyFile(join(ROOT, folder, file), join(staging, file));
    for (const guide of GUIDES[folder] ?? []) {
      await mkdir(join(staging, "guides"), { recursive: true });
      await copyFile(join(ROOT, "docs/guides", `${guide}.md`), join(staging, "guides", `${guide}.md`));
    }
    return await npmPack(staging, outDir);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function bundle(entry: string, outDir: string, name: string): Promise<void> {
  await build({
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
}
