import { packPackage } from "./pack/pack-package.ts";

// Packs programs of the sdk folder for npm: `npm run pack -- sdk/cli`. Without a name, all of them.
const [, , ...named] = process.argv;
for (const folder of named.length > 0 ? named : ["sdk/cli", "sdk/mcp"]) {
  console.log(await packPackage(folder, "dist"));
}
