const MEANINGS: Readonly<Record<string, string>> = {
  ENOSPC: "There is no space left on the disk.",
  EDQUOT: "The disk quota is used up.",
  EACCES: "The service may not write to the folder of recordings.",
  EPERM: "The service may not write to the folder of recordings.",
  EROFS: "The disk can only be read.",
  EIO: "The disk does not work.",
  EMFILE: "Too many files are open.",
  ENFILE: "Too many files are open.",
  EEXIST: "Something is in its place already.",
};

/** What went wrong with a recording, for whoever looks for it. Names of files and folders are left to the log. */
export function explainDisk(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const known = code === undefined ? undefined : MEANINGS[code];
  if (known !== undefined) return known;
  if (code !== undefined) return `The file could not be written (${code}).`;
  return error instanceof Error ? `The file could not be written: ${error.message}.` : "The file could not be written.";
}
