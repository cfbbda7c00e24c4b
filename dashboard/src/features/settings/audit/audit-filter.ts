/** The filter of the audit log. It is part of the URL. */
export interface AuditFilter {
  /** An action, or a prefix of its name. */
  readonly action?: string;
  /** The id of a member or a key, `operator` or `service`. */
  readonly actor?: string;
  readonly createdAfter?: string;
}

/** Unknown values are dropped, so that old links still open. */
export function readAuditFilter({ action, actor, createdAfter }: Record<string, unknown>): AuditFilter {
  const at = typeof createdAfter === "string" ? Date.parse(createdAfter) : Number.NaN;
  return {
    ...(typeof action === "string" && /^[a-z_]{1,50}(\.[a-z_.]{1,49})?$/.test(action) ? { action } : {}),
    ...(typeof actor === "string" && /^[a-z0-9_]{1,100}$/.test(actor) ? { actor } : {}),
    ...(Number.isNaN(at) ? {} : { createdAfter: new Date(at).toISOString() }),
  };
}
