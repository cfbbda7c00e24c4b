import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Route } from "@parley/contract/route";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { withImports } from "./build/chunks.ts";
import { buildFirstPaint } from "./build/first-paint.ts";
import { fillInTexts } from "./build/page-texts.ts";

/** The service that `npm start` runs. The development server forwards everything but the dashboard to it. */
const SERVICE = "http://127.0.0.1:3000";

const pageTexts: Plugin = {
  name: "page-texts",
  transformIndexHtml: { order: "pre", handler: fillInTexts },
};

/** The entry imports the app only after the language: these links make the browser fetch both at once. */
const preloadApp: Plugin = {
  name: "preload-app",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const app = withImports(chunks, "/src/app/start.tsx");
      const missing = app.map(({ fileName }) => fileName).filter((file) => !html.includes(file));
      return missing.map((file) => ({
        tag: "link",
        attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
        injectTo: "head" as const,
      }));
    },
  },
};

/** A text is read once, when its module is loaded: one that came with a translation would have been read before it. */
const translateFirst: Plugin = {
  name: "translate-first",
  apply: "build",
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
    // The page's entry is what imports the translation.
    const first = ["/dashboard/index.html", "/src/languages/german.ts"].flatMap((module) =>
      withImports(chunks, module),
    );
    const early = [...new Set(first.flatMap(({ moduleIds }) => moduleIds))];
    const texts = early.filter((id) => /\/text\.tsx?$/.test(id));
    if (texts.length > 0) throw new Error(`the translation loads texts before it is there: ${texts.join(", ")}`);
  },
};

/** The validator is a sixth of what the first page would load, and no page needs it to be shown. */
const validatorLater: Plugin = {
  name: "validator-later",
  apply: "build",
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
    const first = withImports(chunks, "/src/app/start.tsx").filter(({ moduleIds }) =>
      moduleIds.some((id) => id.includes("/node_modules/zod/")),
    );
    if (first.length > 0)
      throw new Error(`every page loads the validator: ${first.map(({ fileName }) => fileName).join(", ")}`);
  },
};

/**
 * What pages take from the contract without its schemas: of a route the method and the path, which is all that a request
 * needs, and constants. Otherwise they would load the schemas of every request and reply, and the validator.
 */
const bareContract: Plugin = {
  name: "bare-contract",
  apply: "build",
  load: {
    filter: { id: /\/contract\/src\/(?:routes\/)?[\w-]+\.ts$/ },
    async handler(id) {
      const exports: Readonly<Record<string, unknown>> = await import(id);
      const isRoutes = id.includes("/routes/");
      const code = Object.entries(exports)
        .map(([name, value]) => {
          const bare = isRoutes ? methodAndPath(value as Route) : value;
          return isPlain(bare)
            ? `export const ${name} = ${JSON.stringify(bare)};`
            : `export { ${name} } from ${JSON.stringify(`${id}?schemas`)};`;
        })
        .join("\n");
      return { code, moduleSideEffects: false };
    },
  },
};

function methodAndPath({ method, path }: Route) {
  return { method, path };
}

/** Whether a value is the same after it was written as JSON. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return ["string", "number", "boolean"].includes(typeof value);
  const isBare = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isBare && Object.values(value).every(isPlain);
}

/**
 * Declaring a schema has no effect but the schema. The bundler cannot know, and would keep all those of a module that a
 * page takes one constant of, and the validator with them.
 */
const dropUnusedSchemas: Plugin = {
  name: "drop-unused-schemas",
  apply: "build",
  transform: {
    filter: { id: /\/contract\/src\/[\w-]+\.ts\?schemas$/ },
    handler(code) {
      const declared = this.parse(code).body.flatMap((statement) => {
        const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
        return declaration?.type === "VariableDeclaration" ? declaration.declarations : [];
      });
      let marked = code;
      for (const { init } of declared.toReversed()) {
        if (init?.type !== "CallExpression") continue;
        const { start, end } = init;
        marked = `${marked.slice(0, start)}/* @__PURE__ */ (() => ${marked.slice(start, end)})()${marked.slice(end)}`;
      }
      return { code: marked, map: null, moduleSideEffects: false };
    },
  },
};

const compress = promisify(brotliCompress);
// The best quality, 11, takes more than twice as long and is 2 % smaller.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Compresses everything once, so that the service can serve it smaller than what it compresses itself at every start. */
const compressAhead: Plugin = {
  name: "compress-ahead",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    const texts = Object.values(bundle).filter(({ fileName }) => /\.(js|css|html)$/.test(fileName));
    await Promise.all(
      texts.map(async (output) => {
        const bytes = output.type === "chunk" ? output.code : output.source;
        await writeFile(join(dir, `${output.fileName}.br`), await compress(bytes, BROTLI));
      }),
    );
  },
};

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    bareContract,
    dropUnusedSchemas,
    pageTexts,
    preloadApp,
    translateFirst,
    validatorLater,
    buildFirstPaint(),
    compressAhead,
  ],
  build: {
    target: "es2023",
    // The content security policy allows `data:` URLs only for images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What most pages share is one chunk: on a phone every small chunk costs another round trip.
          groups: [
            // Loaded before or with a translation, and so without any text. The helper is what the entry imports with.
            {
              name: "language",
              test: /dashboard\/src\/languages\/(language|texts)\.ts|vite\/preload-helper/,
              priority: 3,
            },
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            // What the frame of every page needs. A page brings what only pages use, such as queries of lists, and the command
            // palette is loaded when it is opened.
            {
              name: "frame",
              test: /node_modules\/(@tanstack\/(?!react-virtual)|use-sync-external-store)(?!.*infinite)|dashboard\/src\/(app\/(?!palette-places)|features\/.*(-search|-filter|\/period)\.ts$)/i,
              minShareCount: 2,
              priority: 2,
            },
            // The validator, which few pages need.
            { name: "zod", test: /node_modules\/zod\//, priority: 1 },
            {
              name: "ui",
              test: /dashboard\/src\/(ui\/(?!layout\/opened-menu)|api\/)|lucide-react|contract\/src\/routes\//,
              minShareCount: 2,
            },
            // What the pages of calls, the overview and the agents share, each of which is a few hundred bytes.
            {
              name: "lists",
              test: /dashboard\/src\/features\/(calls\/(call-queries|call-labels|elapsed-time|new-call|text)|agents\/agent-list-query|settings\/api-keys\/key-queries)\.tsx?$|infinite/i,
              minShareCount: 2,
              // Otherwise schemas of the contract that other pages use would come along.
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
      onLog(level, log, handle) {
        // Packages that also run on servers mark files with "use client", which has no meaning here.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/auth", "/docs"].map((path) => [path, { target: SERVICE, headers: { origin: SERVICE } }]),
    ),
  },
});
