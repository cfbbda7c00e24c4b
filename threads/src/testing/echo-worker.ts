import { serveWorker } from "../serve.ts";
import { doEchoWork } from "./echo-work.ts";

serveWorker(doEchoWork);
