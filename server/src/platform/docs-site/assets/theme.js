// Runs before the page is drawn, so that it does not flash in the other theme. The choice is shared with the dashboard.
const kept = localStorage.getItem("parley.theme");
const isDark = kept === "dark" || (kept !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset.theme = isDark ? "dark" : "light";
