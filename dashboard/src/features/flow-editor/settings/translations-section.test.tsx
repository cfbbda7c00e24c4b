import type { Flow } from "@parley/contract/flow";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { smallFlow } from "../model/testing/small-flow.ts";
import { TranslationsSection } from "./translations-section.tsx";

let saved: Flow;

function Section({ settings = {} }: { readonly settings?: Flow["settings"] }) {
  const [flow, setFlow] = useState<Flow>({ ...smallFlow(), settings });
  saved = flow;
  return (
    <TranslationsSection
      flow={flow}
      language="en-US"
      onChange={(translations) => {
        const { translations: _, ...rest } = flow.settings ?? {};
        setFlow({ ...flow, settings: translations === undefined ? rest : { ...rest, translations } });
      }}
    />
  );
}

const TEXTS = { "Will you come on Tuesday?": "¿Viene el martes?", "See you then.": "Hasta luego." };
const spanish = (texts: Readonly<Record<string, string>>) => ({
  translations: [{ language: "es-ES", texts: { ...texts } }],
});

test("a language is added and its texts are translated one by one", async () => {
  renderWithQueries(<Section />);
  await userEvent.selectOptions(screen.getByLabelText("Add a language"), "es-ES");
  await userEvent.click(screen.getByText(/3 of 3 texts missing/));
  await userEvent.type(screen.getByLabelText("See you then."), "Hasta luego.");
  expect(saved.settings).toEqual(spanish({ "See you then.": "Hasta luego." }));
  expect(screen.getByText(/2 of 3 texts missing/)).toBeTruthy();
});

test("the agent's own language and those that are there are not offered again", () => {
  renderWithQueries(<Section settings={spanish(TEXTS)} />);
  const options = [...(screen.getByLabelText("Add a language") as HTMLSelectElement).options].map(({ value }) => value);
  expect(options).toEqual(["", "de-DE", "fr-FR"]);
});

test("a translation whose text was changed is shown until it is removed", async () => {
  renderWithQueries(
    <Section settings={spanish({ ...TEXTS, "What a pity.": "¡Qué pena!", "Old text.": "Texto viejo." })} />,
  );
  await userEvent.click(screen.getByText(/complete/));
  expect(screen.getByText(/No longer said: “Old text.”/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  expect(saved.settings?.translations?.[0]?.texts).toEqual({ ...TEXTS, "What a pity.": "¡Qué pena!" });
});

test("a text without a translation is not kept as an empty one, and a removed language leaves nothing behind", async () => {
  renderWithQueries(<Section settings={spanish({ "See you then.": "X" })} />);
  await userEvent.click(screen.getByText(/texts missing/));
  await userEvent.clear(screen.getByLabelText("See you then."));
  expect(saved.settings).toEqual(spanish({}));
  await userEvent.click(screen.getByRole("button", { name: /Remove Spanish/ }));
  expect(saved.settings).toEqual({});
});
