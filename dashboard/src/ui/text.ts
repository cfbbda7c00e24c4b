import { inLanguage } from "../languages/texts.ts";

const english = {
  // feedback/notice.tsx
  tryAgain: "Try again",

  // feedback/toast.tsx
  undo: "Undo",
  undoElsewhere: "Undo this on the page where you did it",

  // forms/copy-field.tsx
  copy: "Copy",
  copyNamed: (label: string): string => `Copy: ${label}`,
  copied: "Copied",
  selectAndCopy: "Select and copy",

  // layout/dialog.tsx
  close: "Close",

  // layout/paged-list.tsx
  showMore: "Show more",
};

export type UiText = typeof english;

export const uiText = inLanguage("ui", english);
