import MiniSearch from "./minisearch.js";

const RESULTS_MAX = 12;

leadBack();
startTheme();
addCopyButtons();
startSearch();
// On a phone the contents would push the page below the screen.
if (matchMedia("(max-width: 56rem)").matches) document.querySelector("nav details").open = false;

/** The link to the dashboard leads to the page that this tab showed last. */
function leadBack() {
  const place = sessionStorage.getItem("parley.place");
  // A path of this service: "//host" would be another one.
  if (/^\/(?!\/)/.test(place ?? "")) document.querySelector("header .dashboard").href = place;
}

function startTheme() {
  const button = document.querySelector("#theme");
  const show = () => {
    const isDark = document.documentElement.dataset.theme === "dark";
    button.textContent = isDark ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark ? "Use the light theme" : "Use the dark theme");
  };
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("parley.theme", theme);
    show();
  });
}

function addCopyButtons() {
  for (const figure of document.querySelectorAll("figure.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(figure.querySelector("code").textContent);
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
    figure.append(button);
  }
}

function startSearch() {
  const input = document.querySelector("#search");
  const results = document.querySelector("#results");
  let loading = null;

  const load = async () => {
    const reply = await fetch("/docs/search.json");
    const index = new MiniSearch({
      fields: ["heading", "page", "text"],
      storeFields: ["page", "heading", "text", "url"],
      searchOptions: { boost: { heading: 4, page: 3 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
    });
    index.addAll(await reply.json());
    return index;
  };
  const show = async () => {
    loading ??= load();
    const index = await loading;
    const words = input.value.trim();
    const found = words === "" ? [] : index.search(words).slice(0, RESULTS_MAX);
    results.replaceChildren(...found.map((each) => resultFor(each)));
    if (words !== "" && found.length === 0) results.append(emptyResult(words));
    results.hidden = words === "";
  };
  input.addEventListener("focus", () => {
    loading ??= load();
  });
  input.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    const links = [...results.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "/" && !/^(?:INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Escape" && !results.hidden) {
      results.hidden = true;
      input.focus();
    } else if (!results.hidden && event.key === "ArrowDown") {
      event.preventDefault();
      (links[at + 1] ?? links[0])?.focus();
    } else if (!results.hidden && event.key === "ArrowUp") {
      event.preventDefault();
      (links[at - 1] ?? input).focus();
    } else if (event.key === "Enter" && document.activeElement === input) links[0]?.click();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search, #results a")) results.hidden = true;
  });
  results.addEventListener("click", () => {
    results.hidden = true;
  });
}

function resultFor({ page, heading, text, url }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = url;
  const title = document.createElement("strong");
  title.textContent = heading === page ? page : `${page}: ${heading}`;
  const words = document.createElement("span");
  words.textContent = text.slice(0, 110);
  link.append(title, words);
  item.append(link);
  return item;
}

function emptyResult(words) {
  const item = document.createElement("li");
  item.className = "empty";
  item.textContent = `Nothing found for "${words}".`;
  return item;
}
