import { renderErrors } from "./render-errors.ts";
import { renderSettings } from "./render-settings.ts";

/** The pages of docs/reference that are written from the code, by their path from the root. */
export const REFERENCE_PAGES: Readonly<Record<string, () => string>> = {
  "docs/reference/errors.md": renderErrors,
  "docs/reference/settings.md": renderSettings,
};
