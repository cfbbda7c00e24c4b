import { placeholderNames } from "@parley/flow/placeholders";
import { ListenButton } from "../../voices/listen-button.tsx";
import { useSampleValues } from "../sample-values.ts";
import { useFieldScope } from "./field-scope.tsx";
import { editorFieldsText } from "./text.tsx";

/** Speaks a text of the agent as its callees will hear it. */
export function SpeakButton({ text }: { readonly text: string }) {
  const { agentId, flow } = useFieldScope();
  const samples = useSampleValues(agentId);
  const { voice, pace, pronunciations } = flow.settings ?? {};
  return (
    <ListenButton
      label={editorFieldsText.hearIt}
      text={text}
      voice={voice}
      pace={pace}
      pronunciations={pronunciations}
      variables={withNames(text, samples)}
    />
  );
}

/** A name without an example is spoken as the name itself, so that the sentence can be judged. */
function withNames(text: string, samples: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(placeholderNames(text).map((name) => [name, samples[name] || name.replaceAll("_", " ")]));
}
