import type { Mail } from "../platform/mail/send-mail.ts";
import { RESET_LASTS_HOURS } from "./create-link.ts";

export function resetMail(to: string, url: string): Mail {
  return {
    to,
    subject: "Set a new password",
    text: `Somebody, probably you, asked for a new password.

Open this link within ${RESET_LASTS_HOURS} hours to set one. It works once:

${url}

If it was not you, nothing has changed and you need not do anything.
`,
  };
}

export function inviteMail(to: string, url: string, accountName: string): Mail {
  return {
    to,
    subject: "You are invited",
    text: `You are invited to join the account "${accountName}".

Open this link within 7 days to choose a password and sign in. It works once:

${url}
`,
  };
}
