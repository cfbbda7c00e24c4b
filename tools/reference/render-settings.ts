import { SETTING_NAMES, SettingsSchema } from "@parley/server/platform/config/settings";

/** The page of settings, from the schema the service reads them with. */
export function renderSettings(): string {
  const rows = SETTING_NAMES.map((name) => {
    const schema = SettingsSchema.shape[name];
    if (!schema.description) throw new Error(`${name} has no description`);
    return `| \`${name}\` | ${defaultOf(schema)} | ${schema.description} |`;
  });
  return `# Settings

<!-- Written by \`node tools/run.mjs tools/write-reference.ts\` from server/src/platform/config/settings.ts. -->

A setting is an environment variable, or a line \`NAME=value\` in the file \`parley.env\` in the working
directory of the service (\`PARLEY_SETTINGS_FILE\` selects another file). The environment takes precedence. An invalid value, or an unknown
name that begins with \`PARLEY_\`, prevents the start; all mistakes are reported at once.

| setting | default | meaning |
|---|---|---|
${rows.join("\n")}
`;
}

function defaultOf(schema: { safeParse(value: undefined): { success: boolean; data?: unknown } }): string {
  const { success, data } = schema.safeParse(undefined);
  const text = success && data !== undefined && !isRecord(data) ? String(data) : "";
  return text === "" ? "" : `\`${text}\``;
}

/** What a setting is parsed to is not how it is written. */
function isRecord(data: unknown): boolean {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}
