import { approveDeviceSignIn, denyDeviceSignIn, getDeviceSignIn } from "@parley/contract/routes/device-sign-in";
import type { Mode } from "@parley/contract/shared-fields";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { errorText } from "../../api/api-error.ts";
import { send } from "../../api/send.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { formatMoment } from "../../ui/format.ts";
import { Button } from "../../ui/forms/button.tsx";
import { SelectField, TextField } from "../../ui/forms/field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Facts } from "../../ui/layout/facts.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { deviceSignInText } from "./text.ts";

const route = getRouteApi("/signed-in/device");

/** Lets a command line in that shows a code. */
export function DevicePage() {
  const { code } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={deviceSignInText.title} lead={deviceSignInText.lead}>
      <Card>
        <div className="max-w-md pt-3">
          {code === undefined ? (
            <CodeForm onSubmit={(typed) => void navigate({ search: { code: typed } })} />
          ) : (
            <Waiting key={code} code={code} onOther={() => void navigate({ search: {} })} />
          )}
        </div>
      </Card>
    </Page>
  );
}

function CodeForm({ onSubmit }: { onSubmit(code: string): void }) {
  const [typed, setTyped] = useState("");
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(typed.trim());
      }}
    >
      <TextField
        label={deviceSignInText.code}
        required
        maxLength={20}
        autoComplete="off"
        placeholder="BCDF-GHJK"
        hint={deviceSignInText.codeHint}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" look="primary">
        {deviceSignInText.continueLabel}
      </Button>
    </form>
  );
}

function Waiting({ code, onOther }: { readonly code: string; onOther(): void }) {
  const [mode, setMode] = useState<Mode>("test");
  const { data: waiting, error } = useQuery({
    queryKey: ["device-sign-in", code],
    queryFn: ({ signal }) => send(getDeviceSignIn, { params: { code }, signal }),
    retry: false,
    gcTime: 0,
  });
  const approving = useMutation({ mutationFn: () => send(approveDeviceSignIn, { params: { code }, body: { mode } }) });
  const denying = useMutation({ mutationFn: () => send(denyDeviceSignIn, { params: { code }, body: {} }) });
  if (approving.isSuccess) return <Notice tone="accent">{deviceSignInText.connected}</Notice>;
  if (denying.isSuccess) return <Notice tone="accent">{deviceSignInText.refused}</Notice>;
  if (error) {
    return (
      <div className="space-y-4">
        <Notice tone="danger">{errorText(error)}</Notice>
        <Button onClick={onOther}>{deviceSignInText.otherCode}</Button>
      </div>
    );
  }
  if (!waiting) return <SkeletonRows count={3} label={deviceSignInText.loading} />;
  const refusal = approving.error ?? denying.error;
  return (
    <div className="space-y-4">
      <p className="font-mono text-2xl tracking-widest">{waiting.userCode}</p>
      <p className="text-sm">{deviceSignInText.warning}</p>
      <Facts
        facts={[
          { name: deviceSignInText.asks, value: <span dir="auto">{waiting.client}</span> },
          { name: deviceSignInText.from, value: waiting.ip },
          { name: deviceSignInText.since, value: formatMoment(waiting.createdAt) },
        ]}
      />
      <SelectField
        label={deviceSignInText.keyMode}
        hint={mode === "test" ? deviceSignInText.testHint : deviceSignInText.liveHint}
        value={mode}
        onChange={({ target }) => setMode(target.value === "live" ? "live" : "test")}
      >
        <option value="test">{deviceSignInText.test}</option>
        <option value="live">{deviceSignInText.live}</option>
      </SelectField>
      {refusal ? <Notice tone="danger">{errorText(refusal)}</Notice> : null}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" isBusy={approving.isPending} onClick={() => approving.mutate()}>
          {deviceSignInText.connect}
        </Button>
        <Button isBusy={denying.isPending} onClick={() => denying.mutate()}>
          {deviceSignInText.refuse}
        </Button>
      </div>
      <p className="text-sm text-ink-soft">{deviceSignInText.keyRights}</p>
    </div>
  );
}
