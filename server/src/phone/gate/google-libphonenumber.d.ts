/** What this project uses of the package, which ships no types. */
declare module "google-libphonenumber" {
  interface ParsedNumber {
    getNationalNumberOrDefault(): number;
  }

  interface ShortNumberInfo {
    /** Whether these digits, dialed in the region, reach an emergency service. */
    connectsToEmergencyNumber(digits: string, region: string): boolean;
    isEmergencyNumber(digits: string, region: string): boolean;
  }

  interface PhoneNumberUtil {
    getExampleNumberForType(region: string, type: number): ParsedNumber | null;
    format(number: ParsedNumber, format: number): string;
  }

  type TypeName = "FIXED_LINE" | "MOBILE" | "TOLL_FREE" | "UAN" | "VOIP";

  /** A CommonJS package whose names Node cannot tell in advance: all there is is its default export. */
  const library: {
    readonly ShortNumberInfo: { getInstance(): ShortNumberInfo };
    readonly PhoneNumberUtil: { getInstance(): PhoneNumberUtil };
    readonly PhoneNumberFormat: { readonly E164: number };
    readonly PhoneNumberType: Readonly<Record<TypeName, number>>;
  };
  export default library;
}
