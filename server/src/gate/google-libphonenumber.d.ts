/** What this project uses of the package, which ships no types. */
declare module "google-libphonenumber" {
  export interface ParsedNumber {
    getNationalNumberOrDefault(): number;
  }

  export class ShortNumberInfo {
    static getInstance(): ShortNumberInfo;
    /** Whether these digits, dialed in the region, reach an emergency service. */
    connectsToEmergencyNumber(digits: string, region: string): boolean;
    isEmergencyNumber(digits: string, region: string): boolean;
  }

  export class PhoneNumberUtil {
    static getInstance(): PhoneNumberUtil;
    getSupportedRegions(): string[];
    getExampleNumberForType(region: string, type: number): ParsedNumber | null;
    format(number: ParsedNumber, format: number): string;
  }

  export const PhoneNumberFormat: { readonly E164: number };
  export const PhoneNumberType: {
    readonly FIXED_LINE: number;
    readonly MOBILE: number;
    readonly TOLL_FREE: number;
    readonly PREMIUM_RATE: number;
    readonly SHARED_COST: number;
    readonly VOIP: number;
    readonly PERSONAL_NUMBER: number;
    readonly PAGER: number;
    readonly UAN: number;
    readonly VOICEMAIL: number;
  };
}
