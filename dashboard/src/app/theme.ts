const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEPT_AS = "parley.theme";
const systemIsDark = () => matchMedia("(prefers-color-scheme: dark)");

export function readTheme(): Theme {
  const kept = localStorage.getItem(KEPT_AS);
  return THEMES.find((theme) => theme === kept) ?? "system";
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEPT_AS, theme);
  applyTheme();
}

/** Applies the chosen theme; `system` follows the machine, even when it changes by the time of day. */
export function applyTheme(): void {
  const theme = readTheme();
  const isDark = theme === "dark" || (theme === "system" && systemIsDark().matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}

export function startTheme(): void {
  applyTheme();
  systemIsDark().addEventListener("change", applyTheme);
}
