import { Page } from "../../ui/page.tsx";
import { Sessions } from "./sessions.tsx";

/** Settings > Security: where the member is signed in. */
export function SecurityPage() {
  return (
    <Page title="Security" lead="Where you are signed in.">
      <div className="space-y-5">
        <Sessions />
      </div>
    </Page>
  );
}
