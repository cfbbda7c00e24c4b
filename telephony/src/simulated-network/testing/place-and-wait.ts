/**
 * A worker of one call, for tests that kill it: `place-and-wait.ts PORT CALL_ID DIAL_ID TO`. It prints each event of the
 * leg as a line of JSON, and lives until the leg ends.
 */
import { systemClock } from "@parley/time/clock";
import { connectSimulatedNetwork } from "../remote-simulated-network.ts";

const [port, callId, dialId, to] = process.argv.slice(2);
if (port === undefined || callId === undefined || dialId === undefined || to === undefined) {
  throw new Error("usage: place-and-wait.ts PORT CALL_ID DIAL_ID TO");
}

const carrier = connectSimulatedNetwork({ host: "127.0.0.1", port: Number(port), clock: systemClock });
const leg = await carrier.place({ callId, dialId, to, from: null });
leg.onEvent((event) => {
  console.log(JSON.stringify(event));
  if (event.type === "ended") void carrier.close();
});
