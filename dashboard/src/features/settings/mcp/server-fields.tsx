import type { McpServer } from "@parley/contract/mcp-servers";
import { useForm } from "react-hook-form";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextAreaField, TextField } from "../../../ui/forms/field.tsx";
import { DialogActions } from "../../../ui/layout/dialog.tsx";
import { headerMistake, readHeaders } from "../webhooks/endpoint-fields.tsx";
import { mcpText } from "./text.ts";

/** The request body. Headers that were not edited stay as they are: their values are never shown. */
export interface ServerInput {
  readonly name?: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
}

interface ServerFieldsProps {
  /** Null while it is being added. */
  readonly server: McpServer | null;
  readonly error: unknown;
  readonly isPending: boolean;
  onSubmit(input: ServerInput): void;
  onClose(): void;
}

/** What is to be known about a server. Its name stays, because flows refer to it. */
export function ServerFields({ server, error, isPending, onSubmit, onClose }: ServerFieldsProps) {
  const { register, handleSubmit, watch } = useForm({
    defaultValues: { name: server?.name ?? "", url: server?.url ?? "", headers: "" },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  const fieldError = (name: string) => Object.entries(fields).find(([field]) => field.split(".")[0] === name)?.[1];
  const names = server?.headerNames ?? [];
  const mistake = headerMistake(watch("headers")) ?? undefined;
  const submit = handleSubmit(({ name, url, headers }) => {
    const read = readHeaders(headers);
    onSubmit({
      ...(server ? {} : { name: name.trim() }),
      url: url.trim(),
      ...(Object.keys(read).length > 0 ? { headers: read } : {}),
    });
  });
  return (
    <form className="space-y-4" onSubmit={submit}>
      {error && Object.keys(fields).length === 0 ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      {server ? null : (
        <TextField
          label={mcpText.name}
          required
          maxLength={32}
          placeholder="crm"
          hint={mcpText.nameHint}
          error={fieldError("name")}
          {...register("name")}
        />
      )}
      <TextField
        label="URL"
        required
        maxLength={2048}
        inputMode="url"
        placeholder="https://crm.example/mcp"
        hint={server ? mcpText.changedUrlHint : mcpText.urlHint}
        error={fieldError("url")}
        {...register("url")}
      />
      <TextAreaField
        label={names.length > 0 ? mcpText.newHeaders : mcpText.headersOptional}
        rows={3}
        spellCheck={false}
        placeholder={mcpText.headersExample}
        hint={names.length > 0 ? mcpText.headersSent(names.join(", ")) : mcpText.headersHint}
        error={mistake ?? fieldError("headers")}
        className="font-mono text-[0.8125rem]"
        {...register("headers")}
      />
      <DialogActions>
        <Button onClick={onClose}>{mcpText.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isPending} disabled={mistake !== undefined}>
          {server ? mcpText.save : mcpText.addMcpServer}
        </Button>
      </DialogActions>
    </form>
  );
}
