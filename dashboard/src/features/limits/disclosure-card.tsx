import type { Settings } from "@parley/contract/settings";
import { type FormEvent, useState } from "react";
import { inWords } from "../../api/refusal.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextAreaField } from "../../ui/field.tsx";
import { useSaveSettings } from "../settings/use-save-settings.ts";

const SERVICE_WORDS = "I am an automated assistant, and this call is recorded.";
const CHARS_MAX = 500;

/** In what words agents tell that a machine speaks. */
export function DisclosureCard({ settings }: { readonly settings: Settings }) {
  const saved = settings.disclosure ?? "";
  const [typed, setTyped] = useState<string | null>(null);
  const { mutate, isPending, error } = useSaveSettings();
  const words = (typed ?? saved).trim();
  const mistake = words.includes("{{") ? "Variables cannot be named here: not every call has them." : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mistake || words === saved) return;
    const said = words === "" ? "Agents say it in the words of the service." : "Agents say it in your words.";
    mutate(
      { wish: { disclosure: words === "" ? null : words }, said },
      { onSuccess: () => setTyped((now) => (now === typed ? null : now)) },
    );
  };
  return (
    <Card title="What callees are told">
      <form className="space-y-4" onSubmit={submit} noValidate>
        <p className="text-sm text-ink-soft">
          Every agent says once that a machine speaks, and that the call is recorded where it is. These are the words of
          agents that have none of their own; the sample agents have. They are spoken as they stand, in every language.
        </p>
        <TextAreaField
          label="Words"
          rows={2}
          maxLength={CHARS_MAX}
          dir="auto"
          placeholder={SERVICE_WORDS}
          hint="Empty: the words of the service."
          error={mistake ?? (error ? inWords(error) : undefined)}
          value={typed ?? saved}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button
          type="submit"
          isBusy={isPending}
          disabled={typed === null || words === saved || mistake !== undefined}
          aria-label="Save what callees are told"
        >
          Save
        </Button>
      </form>
    </Card>
  );
}
