import type { Trunk } from "./trunk.ts";

/** A number in the trunk's format. A name that is not a number is unchanged. */
export function writeNumber({ numberFormat }: Pick<Trunk, "numberFormat">, number: string): string {
  if (!/^\+?\d+$/.test(number)) return number;
  const digits = digitsOf(number);
  return numberFormat === "e164" ? `+${digits}` : digits;
}

/** The same with the trunk's dialing prefix. */
export function writeDialedNumber(trunk: Pick<Trunk, "numberFormat" | "dialPrefix">, number: string): string {
  return `${trunk.dialPrefix}${writeNumber(trunk, number)}`;
}

export function digitsOf(number: string): string {
  return number.replace(/\D/g, "");
}
