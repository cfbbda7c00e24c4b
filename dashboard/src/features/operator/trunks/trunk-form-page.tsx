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
import { operatorTrunksText } from "./text.ts";
import { NEW_TRUNK_FORM, readTrunkForm, readVendorForm, type TrunkForm, toTrunkForm } from "./trunk-form.ts";
import { trunkKeys, trunkQuery } from "./trunk-queries.ts";

const route = getRouteApi("/signed-in/operator/trunks/$trunkId/edit");

export function NewTrunkPage() {
  return (
    <Page title={operatorTrunksText.addTrunk} lead={operatorTrunksText.addLead}>
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
      title={trunk.data ? operatorTrunksText.changeNamed(trunk.data.name) : operatorTrunksText.changeTrunk}
      lead={operatorTrunksText.changeLead}
    >
      {trunk.error ? <Notice tone="danger">{errorText(trunk.error)}</Notice> : null}
      {trunk.isPending ? <SkeletonRows count={5} label={operatorTrunksText.loadingTrunk} /> : null}
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
    message: ({ name }) => (trunk === null ? operatorTrunksText.trunkAdded(name) : operatorTrunksText.wasSaved(name)),
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
            {operatorTrunksText.cancel}
          </Link>
        ) : (
          <Link to="/operator/trunks/$trunkId" params={{ trunkId: trunk.id }} className={buttonClass()}>
            {operatorTrunksText.cancel}
          </Link>
        )}
        <Button type="submit" look="primary" isBusy={isBusy}>
          {trunk === null ? operatorTrunksText.addThisTrunk : operatorTrunksText.save}
        </Button>
      </div>
    </form>
  );
}

function KindField({ register, fields }: Pick<TrunkFieldsProps, "register" | "fields">) {
  return (
    <Group title={operatorTrunksText.kind} lead={operatorTrunksText.kindLead}>
      <SelectField label={operatorTrunksText.reachedBy} error={fields["kind"]} {...register("kind")}>
        <option value="sip">{operatorTrunksText.sip}</option>
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
  const { label } = VENDOR_TRUNKS[kind];
  const { username, password, publicKey } = operatorTrunksText.vendorFields[kind];
  return (
    <Group title={operatorTrunksText.vendorAccount(label)} lead={operatorTrunksText.vendorLead(label)}>
      <TextField
        label={operatorTrunksText.name}
        required
        maxLength={120}
        placeholder={label}
        error={fields["name"]}
        {...register("name")}
      />
      <TextField
        label={username.label}
        required
        autoComplete="off"
        hint={username.form}
        error={fields["username"]}
        {...register("username")}
      />
      <TextField
        label={password}
        type="password"
        autoComplete="new-password"
        required={!hasPassword}
        placeholder={hasPassword ? operatorTrunksText.storedTypeToReplace : ""}
        hint={hasPassword ? operatorTrunksText.storedPasswordHint : operatorTrunksText.passwordHint}
        error={fields["password"]}
        {...register("password")}
      />
      {publicKey === null ? null : (
        <TextField
          label={publicKey.label}
          required
          autoComplete="off"
          hint={operatorTrunksText.publicKeyHint(publicKey.form, label)}
          error={fields["publicKey"]}
          {...register("publicKey")}
        />
      )}
      <Wide>
        <Checkbox
          label={operatorTrunksText.switchedOn}
          hint={operatorTrunksText.switchedOnHint}
          {...register("isEnabled")}
        />
      </Wide>
    </Group>
  );
}

function Connection({ register, fields }: TrunkFieldsProps) {
  return (
    <Group title={operatorTrunksText.connection}>
      <TextField
        label={operatorTrunksText.name}
        required
        maxLength={120}
        placeholder={operatorTrunksText.nameExample}
        error={fields["name"]}
        {...register("name")}
      />
      <TextField
        label={operatorTrunksText.server}
        required
        placeholder="sip.carrier.example"
        hint={operatorTrunksText.serverHint}
        error={fields["host"]}
        {...register("host")}
      />
      <SelectField label={operatorTrunksText.transport} error={fields["transport"]} {...register("transport")}>
        <option value="udp">{operatorTrunksText.udp}</option>
        <option value="tcp">{operatorTrunksText.tcp}</option>
        <option value="tls">{operatorTrunksText.tlsEncrypted}</option>
      </SelectField>
      <TextField
        label={operatorTrunksText.portOptional}
        inputMode="numeric"
        hint={operatorTrunksText.portHint}
        error={fields["port"]}
        {...register("port")}
      />
      <Wide>
        <Checkbox
          label={operatorTrunksText.switchedOn}
          hint={operatorTrunksText.switchedOnHint}
          {...register("isEnabled")}
        />
      </Wide>
    </Group>
  );
}

function SignIn({ register, fields, hasPassword }: TrunkFieldsProps) {
  return (
    <Group title={operatorTrunksText.nameAndPassword} lead={operatorTrunksText.credentialsLead}>
      <TextField
        label={operatorTrunksText.userName}
        autoComplete="off"
        error={fields["username"]}
        {...register("username")}
      />
      <TextField
        label={operatorTrunksText.password}
        type="password"
        autoComplete="new-password"
        placeholder={hasPassword ? operatorTrunksText.storedTypeToReplace : ""}
        hint={hasPassword ? operatorTrunksText.storedPasswordHint : operatorTrunksText.passwordHint}
        error={fields["password"]}
        {...register("password")}
      />
      <TextField
        label={operatorTrunksText.registersAsOptional}
        autoComplete="off"
        hint={operatorTrunksText.registersAsHint}
        error={fields["registersAs"]}
        {...register("registersAs")}
      />
    </Group>
  );
}

function Numbers({ register, fields }: TrunkFieldsProps) {
  const callerIds = Object.entries(fields).find(([name]) => name.startsWith("callerIds"))?.[1];
  return (
    <Group title={operatorTrunksText.numbers}>
      <Wide>
        <TextAreaField
          label={operatorTrunksText.callerIds}
          rows={3}
          className="font-mono text-[0.8125rem]"
          placeholder={"+4930100\n+4930101"}
          hint={operatorTrunksText.callerIdsHint}
          error={callerIds}
          {...register("callerIds")}
        />
      </Wide>
      <SelectField label={operatorTrunksText.numberFormat} error={fields["numberFormat"]} {...register("numberFormat")}>
        <option value="e164">{operatorTrunksText.plusFormat}</option>
        <option value="digits">{operatorTrunksText.digitsFormat}</option>
      </SelectField>
      <TextField
        label={operatorTrunksText.technicalPrefixOptional}
        hint={operatorTrunksText.technicalPrefixHint}
        error={fields["dialPrefix"]}
        {...register("dialPrefix")}
      />
    </Group>
  );
}

function Limits({ register, fields }: TrunkFieldsProps) {
  return (
    <Group title={operatorTrunksText.channelsAndPace} lead={operatorTrunksText.limitsLead}>
      <TextField
        label={operatorTrunksText.callsAtOnce}
        inputMode="numeric"
        placeholder={operatorTrunksText.noLimit}
        error={fields["channelsMax"]}
        {...register("channelsMax")}
      />
      <TextField
        label={operatorTrunksText.newCallsASecond}
        inputMode="decimal"
        placeholder={operatorTrunksText.noLimit}
        error={fields["callsPerSecond"]}
        {...register("callsPerSecond")}
      />
    </Group>
  );
}

const CODECS: Readonly<Record<string, string>> = operatorTrunksText.codecChoices;

function RarelyNeededFields({ register, fields, codecs }: TrunkFieldsProps) {
  const choices =
    codecs === "" || codecs in CODECS
      ? CODECS
      : { ...CODECS, [codecs]: operatorTrunksText.codecChain(codecs.split(" ")) };
  return (
    <details className="rounded-2xl border border-line bg-surface px-4 py-4 sm:px-5">
      <summary className="font-semibold">{operatorTrunksText.rarelyNeeded}</summary>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <SelectField label={operatorTrunksText.codecs} error={fields["codecs"]} {...register("codecs")}>
          {Object.entries(choices).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField label={operatorTrunksText.encryptedSoundSrtp} error={fields["srtp"]} {...register("srtp")}>
          <option value="off">{operatorTrunksText.never}</option>
          <option value="optional">{operatorTrunksText.whereTheTrunkCan}</option>
          <option value="required">{operatorTrunksText.alwaysOrNoCall}</option>
        </SelectField>
        <TextField
          label={operatorTrunksText.outboundProxy}
          placeholder="sip:proxy.carrier.example;transport=tcp"
          error={fields["outboundProxy"]}
          {...register("outboundProxy")}
        />
        <TextField label={operatorTrunksText.hostInFrom} error={fields["fromHost"]} {...register("fromHost")} />
        <TextField
          label={operatorTrunksText.ourPublicHost}
          hint={operatorTrunksText.publicHostHint}
          error={fields["publicAddress.host"] ?? fields["publicAddress"]}
          {...register("publicHost")}
        />
        <TextField
          label={operatorTrunksText.ourPublicPort}
          inputMode="numeric"
          error={fields["publicAddress.port"]}
          {...register("publicPort")}
        />
        <TextField
          label={operatorTrunksText.publicMediaHost}
          placeholder="203.0.113.10"
          error={fields["publicMediaHost"]}
          {...register("publicMediaHost")}
        />
        <TextField
          label={operatorTrunksText.pingInterval}
          inputMode="numeric"
          hint={operatorTrunksText.pingIntervalHint}
          error={fields["pingIntervalSeconds"]}
          {...register("pingIntervalSeconds")}
        />
        <TextField
          label={operatorTrunksText.noResponse}
          inputMode="numeric"
          hint={operatorTrunksText.noResponseHint}
          error={fields["noResponseMs"]}
          {...register("noResponseMs")}
        />
        <TextField
          label={operatorTrunksText.sessionTimer}
          inputMode="numeric"
          error={fields["sessionTimerSeconds"]}
          {...register("sessionTimerSeconds")}
        />
        <Wide>
          <Checkbox label={operatorTrunksText.assertsIdentity} {...register("assertsIdentity")} />
          <Checkbox
            label={operatorTrunksText.offersReliableRinging}
            hint={operatorTrunksText.reliableRingingHint}
            {...register("offersReliableRinging")}
          />
          <Checkbox label={operatorTrunksText.allowsTcpForLarge} {...register("allowsTcpForLarge")} />
          <Checkbox
            label={operatorTrunksText.staysOnFirstHop}
            hint={operatorTrunksText.staysOnFirstHopHint}
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
