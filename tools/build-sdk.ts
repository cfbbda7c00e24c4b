import { resolve } from "node:path";
import { buildPackage } from "./packages/build-package.ts";

// Builds the TypeScript SDK, in sdk/typescript/dist or another folder. `npm pack sdk/typescript/dist` then writes the tarball.
const [folder] = process.argv.slice(2);
console.log(`built ${buildPackage("sdk/typescript", folder === undefined ? undefined : resolve(folder))}`);
