import { language } from "../languages/language.ts";
import "./styles.css";

// The texts of every module are read when it is loaded: a translation comes first.
document.documentElement.lang = language;
if (language === "de") await import("../languages/german.ts");
await import("./start.tsx");
