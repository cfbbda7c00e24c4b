import { ERROR_CODES, ERRORS } from "@parley/contract/errors";
import { SETTING_NAMES, SettingsSchema } from "@parley/server/platform/config/settings";

/** The pages of docs/reference that are written from the code, by their path from the root. */
export const REFERENCE_PAGES: Readonly<Record<string, () => string>> = {
  "docs/reference/errors.md": renderErrors,
  "docs/reference/settings.md": renderSettings,
};

/** The page of error codes, from the list the service itself answers with. */
export function renderErrors(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, retryable, meaning } = ERRORS[code];
    return `| <a id="${code}"></a>\`${code}\` | ${status} | ${retryable ? "yes" : "no"} | ${meaning} |`;
  });
  return `# Error codes

<!-- Written by \`node tools/run.mjs tools/write-reference.ts\` from contract/src/errors.ts. -->

Every error has the same shape:

\`\`\`json
{
  "success": false,
  "error": {
    "code": "validation_failed",
    "message": "phoneNumber must be a plus sign followed by 7 to 15 digits.",
    "param": "phoneNumber",
    "details": [{ "param": "phoneNumber", "code": "not_e164", "message": "must be a plus sign followed by 7 to 15 digits" }],
    "requestId": "req_01k8m3v9zq4t6w8y0a2c4e6g8j",
    "docUrl": "/docs/errors#validation_failed",
    "retryable": false
  }
}
\`\`\`

Use \`code\` in your program; \`message\` is for humans and its wording may change. If \`retryable\` is true, the same request may
succeed later: wait for \`Retry-After\` if it is sent.

| code | HTTP | retryable | meaning |
|---|---|---|---|
${rows.join("\n")}
`;
}

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
