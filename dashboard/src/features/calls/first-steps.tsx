import { Link } from "@tanstack/react-router";
import { Button, buttonClass } from "../../ui/button.tsx";

/** What a new account does first. */
export function FirstSteps({ onPlace }: { onPlace(): void }) {
  return (
    <>
      <Button look="primary" onClick={onPlace}>
        Place a test call
      </Button>
      <Link to="/settings/developer" className={buttonClass()}>
        Make an API key
      </Link>
    </>
  );
}
