import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The service that `npm start` runs. The development server forwards everything but the dashboard to it. */
const SERVICE = "http://127.0.0.1:3000";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2023",
    // The content security policy allows `data:` URLs only for images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What most pages share is one chunk: on a phone every small chunk costs another round trip.
          groups: [{ name: "ui", test: /dashboard\/src\/(ui\/(?!layout\/menu)|api\/)|lucide-react/, minShareCount: 3 }],
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
