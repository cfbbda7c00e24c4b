import type { UiText } from "./text.ts";

export const german: UiText = {
  // feedback/notice.tsx
  tryAgain: "Erneut versuchen",

  // feedback/toast.tsx
  undo: "Rückgängig",
  undoElsewhere: "Dort rückgängig machen, wo es geändert wurde",

  // forms/copy-field.tsx
  copy: "Kopieren",
  copyNamed: (label) => `Kopieren: ${label}`,
  copied: "Kopiert",
  selectAndCopy: "Markieren und kopieren",

  // layout/dialog.tsx
  close: "Schließen",

  // layout/paged-list.tsx
  showMore: "Mehr anzeigen",
};
