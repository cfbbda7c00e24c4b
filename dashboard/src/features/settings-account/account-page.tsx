import { useQuery } from "@tanstack/react-query";
import { accountQuery, meQuery } from "../../api/sign-in-state.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Facts } from "../../ui/facts.tsx";
import { formatFull } from "../../ui/format.ts";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { ChangePasswordForm } from "./change-password-form.tsx";
import { SignOutEverywhere } from "./sign-out-everywhere.tsx";

/** Settings > Account: who one is here, and how one gets in. */
export function AccountPage() {
  const { data: me } = useQuery(meQuery);
  const { data: account } = useQuery(accountQuery);
  return (
    <Page title="Account" lead="Who you are here, and how you get in.">
      <div className="space-y-5">
        <Card title="You and your account">
          {me ? (
            <Facts
              facts={[
                { name: "E-mail", value: me.member.email ?? "–" },
                { name: "Account", value: me.account.name },
                {
                  name: "Role",
                  value: (
                    <span className="flex flex-wrap justify-end gap-2">
                      <Badge>{me.member.role === "owner" ? "Owner" : "Member"}</Badge>
                      {me.member.isOperator ? <Badge tone="accent">Operator</Badge> : null}
                    </span>
                  ),
                },
                { name: "Account since", value: account ? formatFull(account.createdAt) : "–" },
                { name: "Account id", value: <span className="font-mono text-xs break-all">{me.account.id}</span> },
              ]}
            />
          ) : (
            <SkeletonRows count={3} label="Fetching who you are" />
          )}
        </Card>
        <Card title="Password">
          <ChangePasswordForm />
        </Card>
        <Card title="Signed in">
          <SignOutEverywhere signedInAt={me?.signedInAt} />
        </Card>
      </div>
    </Page>
  );
}
