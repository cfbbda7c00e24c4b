import type { OperatorText } from "./text.ts";

export const german: OperatorText = {
  // operator-frame.tsx
  trunks: "Trunks",
  routes: "Routen",
  rates: "Tarife",
  providers: "Modellanbieter",
  engines: "Engines",
  gate: "Anrufregeln",
  accounts: "Konten",
  operator: "Betreiber",
  setUpTitle: "Richten Sie zuerst die Zwei-Faktor-Authentifizierung ein",
  setUpReason:
    "Diese Installation ist von anderen Rechnern aus erreichbar; deshalb melden sich ihre Betreiber mit einem zweiten Faktor an.",
  goToSecurity: "Zur Sicherheit",
};
