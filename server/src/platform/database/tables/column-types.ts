import type { ColumnType } from "kysely";

/** A jsonb column: read as a value, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>;
export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>;
/** A column the database fills in unless told otherwise. */
export type Filled<T> = ColumnType<T, T | undefined, T>;
export type FilledTime = ColumnType<Date, Date | string | undefined, Date | string>;
export type Time = ColumnType<Date, Date | string, Date | string>;
export type TimeOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
