import { changePassword, signOut } from "@parley/contract/routes/members";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { useForm } from "react-hook-form";
import { ApiError, errorText } from "../../api/api-error.ts";
import { send } from "../../api/send.ts";
import { accountQuery, meQuery } from "../../api/sign-in-state.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { FormError } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { formatFull } from "../../ui/format.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Facts } from "../../ui/layout/facts.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { NewPasswordField, PasswordField } from "../sign-in/credential-fields.tsx";
import { settingsText } from "./text.tsx";

/** Settings > Account: the member's identity and sign-in. */
export function AccountPage() {
  const { data: me } = useQuery(meQuery);
  const { data: account } = useQuery(accountQuery);
  return (
    <Page title={settingsText.account} lead={settingsText.accountLead}>
      <div className="space-y-5">
        <Card title={settingsText.youAndYourAccount}>
          {me ? (
            <Facts
              facts={[
                { name: settingsText.email, value: me.member.email ?? "–" },
                { name: settingsText.account, value: me.account.name },
                {
                  name: settingsText.role,
                  value: (
                    <span className="flex flex-wrap justify-end gap-2">
                      <Badge>{me.member.role === "owner" ? settingsText.owner : settingsText.member}</Badge>
                      {me.member.isOperator ? <Badge tone="accent">{settingsText.operator}</Badge> : null}
                    </span>
                  ),
                },
                { name: settingsText.accountSince, value: account ? formatFull(account.createdAt) : "–" },
                {
                  name: settingsText.accountId,
                  value: <span className="font-mono text-xs break-all">{me.account.id}</span>,
                },
              ]}
            />
          ) : (
            <SkeletonRows count={3} label={settingsText.loadingYourAccount} />
          )}
        </Card>
        <Card title={settingsText.password}>
          <ChangePasswordForm />
        </Card>
        <Card title={settingsText.signIn}>
          <SignOutEverywhere signedInAt={me?.signedInAt} />
        </Card>
      </div>
    </Page>
  );
}

interface Values {
  currentPassword: string;
  newPassword: string;
}

/** Changes the member's password. All other sessions are signed out. */
function ChangePasswordForm() {
  const queries = useQueryClient();
  const toast = useToast();
  const { data: me } = useQuery(meQuery);
  const { register, handleSubmit, reset } = useForm<Values>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Values) => send(changePassword, { body }),
    onSuccess: async () => {
      reset();
      toast({ text: settingsText.passwordChanged });
      await queries.invalidateQueries(meQuery);
    },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <form className="max-w-md space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
      <FormError error={error} named={["currentPassword", "newPassword"]} />
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={me?.member.email ?? ""} readOnly hidden />
      <PasswordField
        label={settingsText.currentPassword}
        error={fields["currentPassword"]}
        {...register("currentPassword")}
      />
      <NewPasswordField label={settingsText.newPassword} error={fields["newPassword"]} {...register("newPassword")} />
      <Button type="submit" look="primary" isBusy={isPending}>
        {settingsText.changePassword}
      </Button>
    </form>
  );
}

/** Since when this browser is signed in, and signing out everywhere. */
function SignOutEverywhere({ signedInAt }: { readonly signedInAt: string | undefined }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(signOut, { body: { everywhere: true } }),
    onSuccess: async () => {
      await navigate({ to: "/sign-in" });
      // Leaves no data for the next person at this browser.
      queries.clear();
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
  return (
    <div className="space-y-4 text-sm">
      <p>
        {settingsText.signedInSince(signedInAt ? <time dateTime={signedInAt}>{formatFull(signedInAt)}</time> : "…")}
      </p>
      <p className="text-ink-soft">{settingsText.signOutEverywhereHint}</p>
      <Button onClick={() => mutate()} isBusy={isPending}>
        <LogOut aria-hidden="true" />
        {settingsText.signOutEverywhere}
      </Button>
    </div>
  );
}
