/** The part of the service's logger that the launcher needs. */
export interface EmbeddedPostgresLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
