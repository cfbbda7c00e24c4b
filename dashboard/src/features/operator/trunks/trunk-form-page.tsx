import { changeTrunk, createTrunk } from "@parley/contract/routes/operator";
import { type Trunk, type TrunkKind, VENDOR_TRUNKS, type VendorTrunkKind } from "@parley/contract/trunks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type UseFormRegister, useForm } from "react-hook-form";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { Checkbox, SelectField, TextAreaField, TextField } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Page } from "../../../ui/layout/page.tsx";
import { NEW_TRUNK_FORM, readTrunkForm, readVendorForm, type TrunkForm, toTrunkForm } from "./trunk-form.ts";
import { trunkKeys, trunkQuery } from "./trunk-queries.ts";

const route = getRouteApi("/signed-in/operator/trunks/$trunkId/edit");

export function NewTrunkPage() {
  return (
    <Page title="Add a trunk" lead="Your carrier has a page with these settings. What is not on it can stay as it is.">
      <TrunkEditor trunk={null} />
    </Page>
  );
}

export function EditTrunkPage() {
  const { trunkId } = route.useParams();
  // Typed values must not be overwritten by data fetched later.
  const trunk = useQuery({ ...trunkQuery(trunkId), refetchInterval: false, staleTime: Number.POSITIVE_INFINITY });
  return (
    <Page
      title={trunk.data ? `Change ${trunk.data.name}` : "Change a trunk"}
      lead="Calls under way keep what they began with."
    >
      {trunk.error ? <Notice tone="danger">{errorText(trunk.error)}</Notice> : null}
      {trunk.isPending ? <SkeletonRows count={5} label="Loading the trunk" /> : null}
      {trunk.data ? <TrunkEditor trunk={trunk.data} /> : null}
    </Page>
  );
}

function TrunkEditor({ trunk }: { readonly trunk: Trunk | null }) {
  const navigate = useNavigate();
  const { register, handleSubmit, watch } = useForm<TrunkForm>({
    defaultValues: trunk === null ? NEW_TRUNK_FORM : toTrunkForm(trunk),
  });
  const { run, isBusy, error, fields } = useEdit({
    run: (form: TrunkForm) => {
      const { kind } = form;
      const body = kind === "sip" ? readTrunkForm(form) : readVendorForm(form);
      return trunk === null
        ? send(createTrunk, { body: { kind, ...body } })
        : send(changeTrunk, { params: { id: trunk.id }, body });
    },
    changes: [trunkKeys.all, trunkKeys.routes],
    message: ({ name }) =>
      trunk === null ? `${name} was added. A route sends calls out on it.` : `${name} was saved.`,
    onDone: ({ id }) => void navigate({ to: "/operator/trunks/$trunkId", params: { trunkId: id } }),
  });
  return (
    <form className="space-y-5" onSubmit={handleSubmit((form) => run(form))}>
      <FormError error={error} named={Object.keys(fields).filter((name) => name in NEW_TRUNK_FORM)} />
      {trunk === null ? <KindField register={register} fields={fields} /> : null}
      <TrunkFields
        kind={watch("kind")}
        register={register}
        fields={fields}
        hasPassword={trunk?.hasPassword ?? false}
        codecs={trunk?.codecs.join(" ") ?? ""}
      />
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        {trunk === null ? (
          <Link to="/operator/trunks" className={buttonClass()}>
            Cancel
          </Link>
        ) : (
          <Link to="/operator/trunks/$trunkId" params={{ trunkId: trunk.id }} className={buttonClass()}>
            Cancel
          </Link>
        )}
        <Button type="submit" look="primary" isBusy={isBusy}>
          {trunk === null ? "Add the trunk" : "Save"}
        </Button>
      </div>
    </form>
  );
}

function KindField({ register, fields }: Pick<TrunkFieldsProps, "register" | "fields">) {
  return (
    <Group title="Kind" lead="A trunk cannot change its kind later.">
      <SelectField label="Reached by" error={fields["kind"]} {...register("kind")}>
        <option value="sip">SIP</option>
        {Object.entries(VENDOR_TRUNKS).map(([kind, { label }]) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
      </SelectField>
    </Group>
  );
}

interface TrunkFieldsProps {
  readonly register: UseFormRegister<TrunkForm>;
  /** The API's description of each field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly hasPassword: boolean;
  /** The current ones, which may be in an order that the form does not offer. */
  readonly codecs: string;
}

/** Every setting of a trunk, in the order in which a carrier's page lists them; rarely needed ones are collapsed. */
export function TrunkFields({ kind = "sip", ...props }: TrunkFieldsProps & { readonly kind?: TrunkKind }) {
  if (kind !== "sip")
    return (
      <div className="space-y-5">
        <VendorAccount kind={kind} {...props} />
        <Numbers {...props} />
        <Limits {...props} />
      </div>
    );
  return (
    <div className="space-y-5">
      <Connection {...props} />
      <SignIn {...props} />
      <Numbers {...props} />
      <Limits {...props} />
      <RarelyNeededFields {...props} />
    </div>
  );
}

function VendorAccount({ kind, register, fields, hasPassword }: TrunkFieldsProps & { readonly kind: VendorTrunkKind }) {
  const { label, username, password, publicKey } = VENDOR_TRUNKS[kind];
  return (
    <Group title={`${label} account`} lead={`${label} must reach this installation at PARLEY_PUBLIC_URL.`}>
      <TextField
        label="Name"
        required
        maxLength={120}
        placeholder={label}
        error={fields["name"]}
        {...register("name")}
      />
      <TextField
        label={capitalized(username.label)}
        required
        autoComplete="off"
        hint={capitalized(username.form)}
        error={fields["username"]}
        {...register("username")}
      />
      <TextField
        label={capitalized(password.label)}
        type="password"
        autoComplete="new-password"
        required={!hasPassword}
        placeholder={hasPassword ? "Stored; type to replace it" : ""}
        hint={hasPassword ? "It is never shown again." : "Stored encrypted and never shown again."}
        error={fields["password"]}
        {...register("password")}
      />
      {publicKey === null ? null : (
        <TextField
          label={capitalized(publicKey.label)}
          required
          autoComplete="off"
          hint={`${capitalized(publicKey.form)}. ${label} signs its webhooks with it.`}
          error={fields["publicKey"]}
          {...register("publicKey")}
        />
      )}
      <Wide>
        <Checkbox label="Switched on" hint="A trunk that is off gets no calls." {...register("isEnabled")} />
      </Wide>
    </Group>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Connection({ register, fields }: TrunkFieldsProps) {
  return (
    <Group title="Connection">
      <TextField
        label="Name"
        required
        maxLength={120}
        placeholder="Carrier One"
        error={fields["name"]}
        {...register("name")}
      />
      <TextField
        label="Server"
        required
        placeholder="sip.carrier.example"
        hint="Also called domain or registrar."
        error={fields["host"]}
        {...register("host")}
      />
      <SelectField label="Transport" error={fields["transport"]} {...register("transport")}>
        <option value="udp">UDP</option>
        <option value="tcp">TCP</option>
        <option value="tls">TLS, encrypted</option>
      </SelectField>
      <TextField
        label="Port (optional)"
        inputMode="numeric"
        hint="Left empty, DNS decides, else 5060, or 5061 for TLS."
        error={fields["port"]}
        {...register("port")}
      />
      <Wide>
        <Checkbox label="Switched on" hint="A trunk that is off gets no calls." {...register("isEnabled")} />
      </Wide>
    </Group>
  );
}

function SignIn({ register, fields, hasPassword }: TrunkFieldsProps) {
  return (
    <Group title="Name and password" lead="Leave all of it empty where the carrier knows you by your address.">
      <TextField label="User name" autoComplete="off" error={fields["username"]} {...register("username")} />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        placeholder={hasPassword ? "Stored; type to replace it" : ""}
        hint={hasPassword ? "It is never shown again." : "Stored encrypted and never shown again."}
        error={fields["password"]}
        {...register("password")}
      />
      <TextField
        label="Registers as (optional)"
        autoComplete="off"
        hint="Usually the user name, for carriers that require registration."
        error={fields["registersAs"]}
        {...register("registersAs")}
      />
    </Group>
  );
}

function Numbers({ register, fields }: TrunkFieldsProps) {
  const callerIds = Object.entries(fields).find(([name]) => name.startsWith("callerIds"))?.[1];
  return (
    <Group title="Numbers">
      <Wide>
        <TextAreaField
          label="Caller ids"
          rows={3}
          className="font-mono text-[0.8125rem]"
          placeholder={"+4930100\n+4930101"}
          hint="One on each line, with the plus sign; the first is shown where a call names none. Empty: any number."
          error={callerIds}
          {...register("callerIds")}
        />
      </Wide>
      <SelectField label="How numbers are written" error={fields["numberFormat"]} {...register("numberFormat")}>
        <option value="e164">With the plus sign: +4930…</option>
        <option value="digits">Digits only: 4930…</option>
      </SelectField>
      <TextField
        label="Technical prefix (optional)"
        hint="Put before every number."
        error={fields["dialPrefix"]}
        {...register("dialPrefix")}
      />
    </Group>
  );
}

function Limits({ register, fields }: TrunkFieldsProps) {
  return (
    <Group title="Channels and pace" lead="What you pay for. Calls wait for their moment instead of being refused.">
      <TextField
        label="Calls at once"
        inputMode="numeric"
        placeholder="No limit"
        error={fields["channelsMax"]}
        {...register("channelsMax")}
      />
      <TextField
        label="New calls a second"
        inputMode="decimal"
        placeholder="No limit"
        error={fields["callsPerSecond"]}
        {...register("callsPerSecond")}
      />
    </Group>
  );
}

const CODECS: Readonly<Record<string, string>> = {
  "PCMU PCMA": "µ-law, then A-law",
  "PCMA PCMU": "A-law, then µ-law",
  PCMU: "µ-law only",
  PCMA: "A-law only",
  "G722 PCMU PCMA": "G.722, then µ-law, then A-law",
  "G722 PCMA PCMU": "G.722, then A-law, then µ-law",
  "OPUS PCMU PCMA": "Opus, then µ-law, then A-law",
  "OPUS PCMA PCMU": "Opus, then A-law, then µ-law",
};

function RarelyNeededFields({ register, fields, codecs }: TrunkFieldsProps) {
  const choices =
    codecs === "" || codecs in CODECS ? CODECS : { ...CODECS, [codecs]: codecs.replaceAll(" ", ", then ") };
  return (
    <details className="rounded-2xl border border-line bg-surface px-4 py-4 sm:px-5">
      <summary className="font-semibold">Rarely needed</summary>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <SelectField label="Codecs" error={fields["codecs"]} {...register("codecs")}>
          {Object.entries(choices).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField label="Encrypted sound (SRTP)" error={fields["srtp"]} {...register("srtp")}>
          <option value="off">Never</option>
          <option value="optional">Where the trunk can</option>
          <option value="required">Always, or no call</option>
        </SelectField>
        <TextField
          label="Outbound proxy"
          placeholder="sip:proxy.carrier.example;transport=tcp"
          error={fields["outboundProxy"]}
          {...register("outboundProxy")}
        />
        <TextField label="Host in From" error={fields["fromHost"]} {...register("fromHost")} />
        <TextField
          label="Our public host"
          hint="Where the trunk reaches us behind address translation."
          error={fields["publicAddress.host"] ?? fields["publicAddress"]}
          {...register("publicHost")}
        />
        <TextField
          label="Our public port"
          inputMode="numeric"
          error={fields["publicAddress.port"]}
          {...register("publicPort")}
        />
        <TextField
          label="Our public address for sound"
          placeholder="203.0.113.10"
          error={fields["publicMediaHost"]}
          {...register("publicMediaHost")}
        />
        <TextField
          label="Asked whether it is there, every so many seconds"
          inputMode="numeric"
          hint="Empty: never, for trunks that do not answer OPTIONS."
          error={fields["pingIntervalSeconds"]}
          {...register("pingIntervalSeconds")}
        />
        <TextField
          label="Next trunk without any response after, in milliseconds"
          inputMode="numeric"
          hint="From 1000 to 30000; empty: 4000."
          error={fields["noResponseMs"]}
          {...register("noResponseMs")}
        />
        <TextField
          label="A call without a sign of life ends after, in seconds"
          inputMode="numeric"
          error={fields["sessionTimerSeconds"]}
          {...register("sessionTimerSeconds")}
        />
        <Wide>
          <Checkbox label="States the caller in P-Asserted-Identity" {...register("assertsIdentity")} />
          <Checkbox
            label="Offers reliable ringing"
            hint="Off for carriers that stumble over PRACK."
            {...register("offersReliableRinging")}
          />
          <Checkbox label="Sends requests too large for a datagram over TCP" {...register("allowsTcpForLarge")} />
          <Checkbox
            label="Sends everything of a call to where it began"
            hint="For carriers whose Contact leads nowhere."
            {...register("staysOnFirstHop")}
          />
        </Wide>
      </div>
    </details>
  );
}

interface GroupProps {
  readonly title: string;
  readonly lead?: string;
  readonly children: ReactNode;
}

function Group({ title, lead, children }: GroupProps) {
  return (
    <fieldset className="rounded-2xl border border-line bg-surface px-4 pt-4 pb-5 sm:px-5">
      <legend className="float-left font-semibold">{title}</legend>
      {lead ? <p className="clear-left pt-1 text-sm text-ink-soft">{lead}</p> : null}
      <div className="clear-left grid gap-4 pt-3 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

function Wide({ children }: { readonly children: ReactNode }) {
  return <div className="sm:col-span-2">{children}</div>;
}
