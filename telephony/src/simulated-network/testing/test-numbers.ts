import type { CarrierTestNumbers } from "../../conformance/carrier-rig.ts";

export const TEST_NUMBERS: CarrierTestNumbers = {
  hangsUp: "+15550100001",
  staysOnTheLine: "+15550100009",
  noAnswer: "+15550100003",
  busy: "+15550100002",
  declined: "+15550100004",
  invalid: "+15550100005",
  unavailable: "+15550100006",
};
