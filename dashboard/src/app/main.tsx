import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { keepFocus } from "./keep-focus.ts";
import "./styles.css";
import { startTheme } from "./theme.ts";

startTheme();
keepFocus(document);
const place = document.getElementById("app");
if (!place) throw new Error("the page has no place for the app");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
