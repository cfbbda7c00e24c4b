import { accountsCreate } from "./accounts-create.ts";
import { accountsLimits } from "./accounts-limits.ts";
import { accountsList } from "./accounts-list.ts";
import { backup } from "./backup.ts";
import { check } from "./check.ts";
import type { Command } from "./command.ts";
import { creditAdd, creditRemove } from "./credit-change.ts";
import { creditShow } from "./credit-show.ts";
import { doctorModels } from "./doctor-models.ts";
import { doctorTrunk } from "./doctor-trunk.ts";
import { gateChange, gateShow } from "./gate.ts";
import { keysCreate } from "./keys-create.ts";
import { keysList } from "./keys-list.ts";
import { keysRevoke } from "./keys-revoke.ts";
import { membersList } from "./members-list.ts";
import { membersReset } from "./members-reset.ts";
import { ratesEngine, ratesFill, ratesList, ratesRemove, ratesSet } from "./rates.ts";
import { restore } from "./restore.ts";
import { routesAdd } from "./routes-add.ts";
import { routesList } from "./routes-list.ts";
import { routesRemove } from "./routes-remove.ts";
import { trunksAdd, trunksChange } from "./trunks-add.ts";
import { trunksDisable, trunksEnable } from "./trunks-enable.ts";
import { trunksList } from "./trunks-list.ts";
import { trunksRemove } from "./trunks-remove.ts";
import { trunksShow } from "./trunks-show.ts";
import { webhooksListen } from "./webhooks-listen.ts";

/** In the order in which the help shows them. */
export const ALL_COMMANDS: readonly Command[] = [
  accountsList,
  accountsCreate,
  accountsLimits,
  membersList,
  membersReset,
  keysList,
  keysCreate,
  keysRevoke,
  creditShow,
  creditAdd,
  creditRemove,
  gateShow,
  gateChange,
  ratesList,
  ratesSet,
  ratesRemove,
  ratesEngine,
  ratesFill,
  trunksList,
  trunksShow,
  trunksAdd,
  trunksChange,
  trunksEnable,
  trunksDisable,
  trunksRemove,
  routesList,
  routesAdd,
  routesRemove,
  webhooksListen,
  doctorTrunk,
  doctorModels,
  check,
  backup,
  restore,
];
