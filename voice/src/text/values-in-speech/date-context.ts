import { type CalendarDate, dateOfDayNumber, dayNumberOf, daysInMonth, isCalendarDate } from "@parley/flow/calendar";

/** What a date in speech is relative to. Days are counted by their number, see `dayNumberOf`. */
export interface DateContext {
  readonly today: number;
  /** Where a day without its year, month or week is searched for: an appointment lies ahead, a birthday behind. */
  readonly prefer: "future" | "past";
  /** Whether 3/4 is the third of April. */
  readonly isDayFirst: boolean;
  /**
   * Whether a day was asked for. Then "twenty-third works" and "two weeks" name one, which otherwise count something
   * else.
   */
  readonly isAsked: boolean;
}

/** The 29th of February recurs after at most eight years. */
const YEARS_TO_TRY = 8;

/** The nearest such day on the preferred side, today included. Null if it does not exist. */
export function nearestDay(month: number, day: number, { today, prefer }: DateContext): number | null {
  const { year } = dateOfDayNumber(today);
  const step = prefer === "future" ? 1 : -1;
  for (let tried = 0; tried <= YEARS_TO_TRY; tried++) {
    const date = { year: year + step * tried, month, day };
    if (isCalendarDate(date) && step * (dayNumberOf(date) - today) >= 0) return dayNumberOf(date);
  }
  return null;
}

/** The nearest day of a month with this number on the preferred side, today included. */
export function nearestDayOfMonth(day: number, { today, prefer }: DateContext): number | null {
  const { year, month } = dateOfDayNumber(today);
  const step = prefer === "future" ? 1 : -1;
  for (let tried = 0; tried <= 2; tried++) {
    const date = { ...monthsAway({ year, month, day: 1 }, step * tried), day };
    if (isCalendarDate(date) && step * (dayNumberOf(date) - today) >= 0) return dayNumberOf(date);
  }
  return null;
}

/** The same day this many months later, or the last day of a month that is too short. */
export function monthsAway({ year, month, day }: CalendarDate, months: number): CalendarDate {
  const index = year * 12 + (month - 1) + months;
  const target = { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 };
  return { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) };
}
