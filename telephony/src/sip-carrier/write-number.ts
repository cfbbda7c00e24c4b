import type { Trunk } from "./trunk.ts";

/** A number as the trunk wants it written. A name that is no number stays as it is. */
export function writeNumber({ numberFormat }: Pick<Trunk, "numberFormat">, number: string): string {
  if (!/^\+?\d+$/.test(number)) return number;
  const digits = digitsOf(number);
  return numberFormat === "e164" ? `+${digits}` : digits;
}

/** The same with what the trunk wants to see before every number it is asked to dial. */
export function writeDialedNumber(trunk: Pick<Trunk, "numberFormat" | "dialPrefix">, number: string): string {
  return `${trunk.dialPrefix}${writeNumber(trunk, number)}`;
}

export function digitsOf(number: string): string {
  return number.replace(/\D/g, "");
}
