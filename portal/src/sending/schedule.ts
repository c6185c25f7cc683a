export interface ScheduleForm {
  /** A cron expression. */
  every: string;
  /** Empty: that of the workspace. */
  timezone: string;
}

/** The paths of the fields in the request. */
export const SCHEDULE_PATHS = ['every', 'timezone'];

/** Schedules by name. Others are written as cron expressions. */
export const SCHEDULES = [
  { value: '5,20,35,50 * * * *', label: 'Every 15 minutes' },
  { value: '5 * * * *', label: 'Every hour' },
  { value: '0 8 * * *', label: 'Daily at 8:00' },
  { value: '0 8 * * 1-5', label: 'On weekdays at 8:00' },
  { value: '0 8 * * 1', label: 'Mondays at 8:00' },
  { value: '0 8 1 * *', label: 'On the 1st of a month at 8:00' },
] as const;

/** The value of the choice for an expression without a name. */
export const OTHER = '';

/** The choice that stands for a cron expression. */
export function choiceOf(every: string): string {
  const normal = every.trim().split(/\s+/).join(' ');
  return SCHEDULES.find(({ value }) => value === normal)?.value ?? OTHER;
}

/** "Daily at 8:00"; null for an expression without a name. */
export function scheduleName(every: string): string | null {
  return SCHEDULES.find(({ value }) => value === choiceOf(every))?.label ?? null;
}
