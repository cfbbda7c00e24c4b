import { accountsCreate } from "./accounts-create.ts";
import { accountsLimits } from "./accounts-limits.ts";
import { accountsList } from "./accounts-list.ts";
import { backup } from "./backup.ts";
import { check } from "./check.ts";
import type { Command } from "./command.ts";
import { creditAdd, creditRemove } from "./credit-change.ts";
import { creditShow } from "./credit-show.ts";
import { keysCreate } from "./keys-create.ts";
import { keysList } from "./keys-list.ts";
import { keysRevoke } from "./keys-revoke.ts";
import { membersList } from "./members-list.ts";
import { membersReset } from "./members-reset.ts";
import { restore } from "./restore.ts";

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
  check,
  backup,
  restore,
];
