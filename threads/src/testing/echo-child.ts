import { followOwner, serveProcess } from "../serve.ts";
import { doEchoWork } from "./echo-work.ts";

followOwner();
if (process.argv[2] === "broken") process.exit(1);
if (process.argv[2] !== "slow") serveProcess(doEchoWork);
else setInterval(() => undefined, 1_000_000);
