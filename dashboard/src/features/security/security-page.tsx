import { Page } from "../../ui/page.tsx";
import { Sessions } from "./sessions.tsx";
import { TwoFactor } from "./two-factor.tsx";

/** Settings > Security: the second factor, and where the member is signed in. */
export function SecurityPage() {
  return (
    <Page title="Security" lead="How you sign in, and where you are signed in.">
      <div className="space-y-5">
        <TwoFactor />
        <Sessions />
      </div>
    </Page>
  );
}
