import { relative, resolve } from "node:path";
import { buildDashboard } from "./release/build-dashboard.ts";

// `npm run build` builds what an installation without development dependencies cannot build: the dashboard.
const repository = resolve(import.meta.dirname, "..");
const { folder, wasBuilt } = await buildDashboard(repository);
console.log(`${relative(repository, folder)} ${wasBuilt ? "was built" : "is up to date"}`);
