import { StartError } from "./start-error.ts";

export interface ListeningPlace {
  readonly host: string;
  readonly port: number;
  /** The settings that named them. */
  readonly hostSetting: string;
  readonly portSetting: string;
}

/** Why a port could not be listened on, in words for the operator where they help. */
export function explainListening(error: unknown, { host, port, hostSetting, portSetting }: ListeningPlace): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(`Port ${port} on ${host} is taken by another program. Stop it, or set ${portSetting}.`);
    case "EACCES":
      return new StartError(`This account may not listen on port ${port}. Set ${portSetting} to 1024 or above.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(`${host} is not an address of this machine. Set ${hostSetting}.`);
    default:
      return error;
  }
}
