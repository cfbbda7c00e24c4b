import { PASSWORD_CHARS_MIN } from "@parley/contract/accounts";

export const PASSWORD_HINT = `At least ${PASSWORD_CHARS_MIN} characters. A few words are easier to remember than signs.`;
