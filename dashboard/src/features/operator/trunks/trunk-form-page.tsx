import { changeTrunk, createTrunk } from "@parley/contract/routes/operator";
import type { Trunk } from "@parley/contract/trunks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Page } from "../../../ui/layout/page.tsx";
import { TrunkFields } from "./trunk-fields.tsx";
import { NEW_TRUNK_FORM, readTrunkForm, type TrunkForm, toTrunkForm } from "./trunk-form.ts";
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
      {trunk.isPending ? <SkeletonRows count={5} label="Fetching the trunk" /> : null}
      {trunk.data ? <TrunkEditor trunk={trunk.data} /> : null}
    </Page>
  );
}

function TrunkEditor({ trunk }: { readonly trunk: Trunk | null }) {
  const navigate = useNavigate();
  const { register, handleSubmit } = useForm<TrunkForm>({
    defaultValues: trunk === null ? NEW_TRUNK_FORM : toTrunkForm(trunk),
  });
  const { run, isBusy, error, fields } = useEdit({
    run: (form: TrunkForm) => {
      const body = readTrunkForm(form);
      return trunk === null ? send(createTrunk, { body }) : send(changeTrunk, { params: { id: trunk.id }, body });
    },
    changes: [trunkKeys.all, trunkKeys.routes],
    message: ({ name }) =>
      trunk === null ? `${name} was added. A route sends calls out on it.` : `${name} was saved.`,
    onDone: ({ id }) => void navigate({ to: "/operator/trunks/$trunkId", params: { trunkId: id } }),
  });
  return (
    <form className="space-y-5" onSubmit={handleSubmit((form) => run(form))}>
      <FormError error={error} named={Object.keys(fields).filter((name) => name in NEW_TRUNK_FORM)} />
      <TrunkFields register={register} fields={fields} hasPassword={trunk?.hasPassword ?? false} />
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
