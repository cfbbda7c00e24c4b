import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

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
export function renderThirdParty(moduleIds: readonly string[]): string {
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
