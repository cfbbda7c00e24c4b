import { describeVendorFaults } from "../testing/vendor-faults.ts";

describeVendorFaults("by plain fetch", () => ({ fetch, close: () => undefined }));
