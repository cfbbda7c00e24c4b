import { readdir } from "node:fs/promises";

/** The ids of the calls whose recordings lie in the folder, of all days or the last so many; the oldest day first. */
export async function listRecordings(folder: string, daysMax = Number.POSITIVE_INFINITY): Promise<string[]> {
  const days = (await readIfThere(folder))
    .filter((name) => /^\d{4}-\d\d-\d\d$/.test(name))
    .sort()
    .slice(-daysMax);
  const ids: string[] = [];
  for (const day of days) {
    for (const name of (await readIfThere(`${folder}/${day}`)).sort()) {
      const id = /^(call_[0-9a-z]+)\.wav$/.exec(name)?.[1];
      if (id !== undefined) ids.push(id);
    }
  }
  return ids;
}

async function readIfThere(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
