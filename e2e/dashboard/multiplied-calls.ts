import type { Look } from "./looks.ts";

/** The statement that repeats a call, an hour apart, back in time, to a number of its own each. Its length grows with its age. */
export const multiplyCall = (callId: string, copies: number, { theme, width }: Look): string => `
  insert into calls select made.* from calls c, generate_series(1, ${copies}) i,
    lateral jsonb_populate_record(c, jsonb_build_object(
      'id', 'call_' || lpad('${width}${theme.length}' || lpad(i::text, 6, '0'), 26, '0'),
      'phone_number', '+1555' || lpad(i::text, 7, '0'),
      'created_at', c.created_at - i * interval '1 hour')) made
  where c.id = '${callId}'`;
