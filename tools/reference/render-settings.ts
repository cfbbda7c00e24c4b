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

A setting is an environment variable, or a line \`NAME=value\` in the file \`parley.env\` of the folder the service is
started from (\`PARLEY_SETTINGS_FILE\` names another file). The environment wins. A wrong value, or a name that begins with
\`PARLEY_\` and is none of these, stops the start with all the mistakes at once.

| setting | default | meaning |
|---|---|---|
${rows.join("\n")}
`;
}

function defaultOf(schema: { safeParse(value: undefined): { success: boolean; data?: unknown } }): string {
  const { success, data } = schema.safeParse(undefined);
  const text = success && data !== undefined ? String(data) : "";
  return text === "" ? "" : `\`${text}\``;
}
