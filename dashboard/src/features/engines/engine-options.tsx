import type { Engine } from "@parley/contract/engines";
import { engineOption } from "./engine-words.ts";
import { enginesText } from "./text.ts";

/** The engines in a select element. Those that are not set up are listed with what they lack, and cannot be chosen. */
export function EngineOptions({ engines }: { readonly engines: readonly Engine[] }) {
  const option = (engine: Engine) => (
    <option key={engine.name} value={engine.name} disabled={!engine.available}>
      {engineOption(engine)}
    </option>
  );
  const others = engines.filter(({ available }) => !available);
  return (
    <>
      {engines.filter(({ available }) => available).map(option)}
      {others.length > 0 ? <optgroup label={enginesText.notSetUpGroup}>{others.map(option)}</optgroup> : null}
    </>
  );
}
