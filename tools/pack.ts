import { packNodes } from "./pack/pack-nodes.ts";
import { packPackage } from "./pack/pack-package.ts";
import { packPythonSdk, packTypeScriptSdk } from "./pack/pack-sdks.ts";

// Packs what is published, into dist: `npm run pack -- sdk/cli`. Without a name, all of it.
const PACKERS: Readonly<Record<string, () => Promise<string | string[]>>> = {
  "sdk/typescript": () => packTypeScriptSdk("dist"),
  "sdk/python": () => packPythonSdk("dist"),
  "sdk/cli": () => packPackage("sdk/cli", "dist"),
  "sdk/mcp": () => packPackage("sdk/mcp", "dist"),
  "sdk/n8n": () => packNodes("sdk/n8n", "dist"),
};

const [, , ...named] = process.argv;
for (const folder of named.length > 0 ? named : Object.keys(PACKERS)) {
  const pack = PACKERS[folder];
  if (!pack) throw new Error(`${folder} is none of ${Object.keys(PACKERS).join(", ")}`);
  for (const file of [await pack()].flat()) console.log(file);
}
