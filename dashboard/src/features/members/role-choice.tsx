import type { Member } from "@parley/contract/accounts";
import { changeMember } from "@parley/contract/routes/members";
import { ROLES, type Role } from "@parley/contract/scopes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { inWords } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Select } from "../../ui/select.tsx";
import { useToast } from "../../ui/toast.tsx";
import { membersQuery } from "./member-queries.ts";
import { ROLE_WORDS } from "./role-words.ts";

/** What a member may do. It takes effect at once and is undone by a click. */
export function RoleChoice({ member }: { readonly member: Member }) {
  const queries = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (role: Role) => send(changeMember, { params: { id: member.id }, body: { role } }),
    onSuccess: ({ email }, role) => {
      const before = role === "owner" ? "member" : "owner";
      toast({
        text: `${email ?? "The member"} is ${role === "owner" ? "an owner" : "a member"} now.`,
        undo: () => change.mutate(before),
        subject: `role of ${member.id}`,
      });
    },
    onError: (error) => toast({ text: inWords(error) }),
    onSettled: () => queries.invalidateQueries(membersQuery),
  });
  return (
    <Select
      aria-label={`Role of ${member.email ?? "the member"}`}
      className="w-32"
      // While it is under way the choice is shown as made.
      value={change.isPending ? change.variables : member.role}
      // Disabled it would lose the focus of whoever just chose.
      aria-disabled={change.isPending}
      onChange={(event) => (change.isPending ? undefined : change.mutate(event.target.value as Role))}
    >
      {ROLES.map((role) => (
        <option key={role} value={role}>
          {ROLE_WORDS[role]}
        </option>
      ))}
    </Select>
  );
}
