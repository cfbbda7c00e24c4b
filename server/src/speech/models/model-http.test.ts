import { openModelServerRig } from "@parley/providers/testing/model-server-rig";
import { describeVendorFaults } from "@parley/providers/testing/vendor-faults";
import { openVendorModel, VENDOR_NAMES } from "@parley/providers/testing/vendor-models";
import { systemClock } from "@parley/time/clock";
import { describeLanguageModelConformance } from "@parley/voice/conformance/language-model-conformance";
import { createOutboundFetch } from "../../platform/outbound-http/outbound-fetch.ts";
import { openModelHttp } from "./open-language-model.ts";

function openFetch() {
  const http = openModelHttp({ clock: systemClock, ownHosts: new Set() });
  return { fetch: createOutboundFetch(http), close: () => http.close() };
}

for (const vendor of VENDOR_NAMES) {
  describeLanguageModelConformance(`${vendor} through the outbound client`, () =>
    openModelServerRig((url) => {
      const { fetch, close } = openFetch();
      return { model: openVendorModel(vendor, url, { fetch }), close: async () => close() };
    }),
  );
}

describeVendorFaults("through the outbound client", openFetch);
