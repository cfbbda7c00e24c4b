import { useState } from "react";

/** Something that was done or put away, as this browser remembers it for one account. */
export function useKeptFlag(name: string, accountId: string | undefined): readonly [boolean, (isSet: boolean) => void] {
  const keptAs = `parley.${name}.${accountId ?? ""}`;
  const [, setChanges] = useState(0);
  const keep = (isSet: boolean) => {
    if (isSet) localStorage.setItem(keptAs, "yes");
    else localStorage.removeItem(keptAs);
    setChanges((count) => count + 1);
  };
  return [localStorage.getItem(keptAs) === "yes", keep];
}
