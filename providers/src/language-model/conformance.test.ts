import { describeLanguageModelConformance } from "@parley/voice/conformance/language-model-conformance";
import { openModelServerRig } from "../testing/model-server-rig.ts";
import { openVendorModel, VENDOR_NAMES } from "../testing/vendor-models.ts";

for (const vendor of VENDOR_NAMES) {
  describeLanguageModelConformance(`the adapter of ${vendor}`, () =>
    openModelServerRig((url) => ({ model: openVendorModel(vendor, url), close: async () => undefined })),
  );
}
