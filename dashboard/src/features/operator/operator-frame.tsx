import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/sign-in-state.ts";
import { MissingPage } from "../../app/edge-pages.tsx";
import { SectionFrame } from "../../ui/section-frame.tsx";

const PLACES = [
  { to: "/operator/trunks", label: "Trunks" },
  { to: "/operator/routes", label: "Routes" },
  { to: "/operator/rates", label: "Rates" },
  { to: "/operator/models", label: "Models" },
  { to: "/operator/gate", label: "Gate" },
  { to: "/operator/accounts", label: "Accounts" },
] as const;

/** The pages of whoever runs the installation. For everybody else there is nothing here, as the API says too. */
export function OperatorFrame() {
  const { data: me } = useQuery(meQuery);
  if (!me?.member.isOperator) return <MissingPage />;
  return <SectionFrame label="Operator" places={PLACES} />;
}
