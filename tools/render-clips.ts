import { SHIPPED_SAMPLES } from "@parley/server/agents/shipped-samples";
import { renderShipped } from "@parley/server/agents/voices/render-shipped";

// Renders the clips that are shipped with the service, after the texts of a sample agent or the rules of the voice changed.
await renderShipped(SHIPPED_SAMPLES, (text, left) => console.log(`${left} left: ${text}`));
