import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";

/** The one time recovery codes can be seen. */
export function RecoveryCodeList({ codes, onClose }: { readonly codes: readonly string[]; onClose(): void }) {
  return (
    <>
      <div className="space-y-5">
        <Notice tone="warning">
          Keep these recovery codes somewhere safe, apart from your phone. Each signs you in once when the device is
          lost. They cannot be shown again.
        </Notice>
        <CopyField label="Recovery codes" value={codes.join("\n")} isLong />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have kept them
        </Button>
      </DialogActions>
    </>
  );
}
