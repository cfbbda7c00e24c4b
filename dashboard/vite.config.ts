import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm start` listens; while the dashboard is worked on, Vite serves it and hands everything else on. */
const SERVICE = "http://127.0.0.1:3000";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2023",
    // The policy of the page lets nothing be loaded from `data:` but images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What most pages are made of comes in one piece: on a phone every small piece costs another way to and fro.
          groups: [{ name: "ui", test: /dashboard\/src\/(ui\/(?!layout\/menu)|api\/)|lucide-react/, minShareCount: 3 }],
        },
      },
      onLog(level, log, handle) {
        // Packages made for servers too mark their files with "use client", which means nothing here.
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
