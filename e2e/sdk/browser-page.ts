import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "vite";

/** A site of someone else: an origin of its own, with a page that imports the SDK. */
export interface OtherSite {
  readonly origin: string;
  /** What `/sdk.js` is. */
  offer(script: string): void;
  close(): Promise<void>;
}

export async function openOtherSite(): Promise<OtherSite> {
  let sdk = "";
  const server = createServer((request, response) => {
    if (request.url === "/sdk.js") response.setHeader("content-type", "text/javascript").end(sdk);
    else response.setHeader("content-type", "text/html").end("<!doctype html><title>A site</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    offer(script) {
      sdk = script;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Bundles the SDK that is installed in a project for browsers, as its users do. */
export async function bundleForBrowser(project: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "error",
    root: project,
    build: {
      write: false,
      target: "es2022",
      minify: true,
      lib: { entry: join(project, "node_modules/@parley/sdk/parley.js"), formats: ["es"] },
    },
  });
  const [bundle] = Array.isArray(output) ? output : [output];
  if (!bundle || !("output" in bundle)) throw new Error("nothing was built");
  return bundle.output[0].code;
}
