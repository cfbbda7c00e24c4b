import { packNodes } from "./pack/pack-nodes.ts";
import { packPackage } from "./pack/pack-package.ts";

// Packs programs of the sdk folder for npm: `npm run pack -- sdk/cli`. Without a name, all of them.
const [, , ...named] = process.argv;
for (const folder of named.length > 0 ? named : ["sdk/cli", "sdk/mcp", "sdk/n8n"]) {
  console.log(await (folder === "sdk/n8n" ? packNodes : packPackage)(folder, "dist"));
}
