import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { hashSources } from "./hash-sources.ts";

export interface BuildOptions {
  /** The root of the checkout. */
  readonly repository: string;
  /** Where built dashboards are kept, each in a folder named for the sources it was made of. */
  readonly builtFolder: string;
  /** Builds into a folder that does not exist yet, or throws with the reason. */
  build(outFolder: string): Promise<void>;
}

export interface BuiltDashboard {
  readonly folder: string;
  readonly wasBuilt: boolean;
}

/**
 * Gives the folder of the dashboard that belongs to the sources as they are, and builds it when there is none. It is built
 * beside its place and moved there, so that a half-built one is never served and two processes do not disturb each other.
 */
export async function buildIfStale({ repository, builtFolder, build }: BuildOptions): Promise<BuiltDashboard> {
  const name = hashSources(repository);
  const folder = join(builtFolder, name);
  if (isBuilt(folder)) return { folder, wasBuilt: false };
  await mkdir(builtFolder, { recursive: true });
  const unfinished = join(builtFolder, `${name}.${process.pid}.unfinished`);
  try {
    await build(unfinished);
    await moveInto(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  await forgetOthers(builtFolder, name);
  return { folder, wasBuilt: true };
}

function isBuilt(folder: string): boolean {
  return existsSync(join(folder, "index.html"));
}

/** Another process may have been quicker; its build is as good as ours. */
async function moveInto(unfinished: string, folder: string): Promise<void> {
  try {
    await rename(unfinished, folder);
  } catch (error) {
    if (!isBuilt(folder)) throw error;
  }
}

/** Whoever serves an older one holds it in memory. What others are still building is left to them. */
async function forgetOthers(builtFolder: string, kept: string): Promise<void> {
  for (const name of await readdir(builtFolder)) {
    if (name !== kept && !name.endsWith(".unfinished"))
      await rm(join(builtFolder, name), { recursive: true, force: true });
  }
}
