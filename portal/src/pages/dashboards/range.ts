/** As the API takes it. Empty: as each card says. */
export interface Range {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  timezone?: string | undefined;
}

/** The search parameters of the page. */
interface Search {
  from?: string | undefined;
  to?: string | undefined;
}

/** `mtd` and not `this_month`: a chart of days to come has nothing to show. */
const PRESETS = [
  { value: 'cards', label: 'As each card says', from: undefined },
  { value: 'today', label: 'Today', from: 'today' },
  { value: '24h', label: 'Last 24 hours', from: '-24h' },
  { value: '7d', label: 'Last 7 days', from: '-7d' },
  { value: '30d', label: 'Last 30 days', from: '-30d' },
  { value: '90d', label: 'Last 90 days', from: '-90d' },
  { value: 'month', label: 'This month', from: 'mtd' },
  { value: 'last-month', label: 'Last month', from: 'last_month' },
] as const;

export type RangeChoice = (typeof PRESETS)[number]['value'] | 'custom';

export const RANGE_CHOICES: readonly { value: RangeChoice; label: string }[] = [
  ...PRESETS.map(({ value, label }) => ({ value, label })),
  { value: 'custom', label: 'Custom' },
];

const DAY_MS = 86_400_000;
const CUSTOM_DAYS = 30;

/** Days are those of `timezone`, where the person is. */
export function rangeOf({ from, to }: Search, timezone: string): Range {
  if (from === undefined && to === undefined) return {};
  return { ...(from === undefined ? {} : { dateFrom: from }), ...(to === undefined ? {} : { dateTo: to }), timezone };
}

export function choiceOf({ from, to }: Search): RangeChoice {
  if (to !== undefined) return 'custom';
  return PRESETS.find((preset) => preset.from === from)?.value ?? 'custom';
}

/** The search parameters of a choice. A custom range begins as the last 30 days, with today. */
export function searchOf(choice: RangeChoice, now: Date): Search {
  if (choice !== 'custom') return { from: PRESETS.find(({ value }) => value === choice)?.from, to: undefined };
  return { from: dateOf(new Date(now.getTime() - (CUSTOM_DAYS - 1) * DAY_MS)), to: dateOf(now) };
}

/** With one end of a custom range changed: the other gives way, so that the range never ends before it begins. */
export function withEnd({ from, to }: Search, end: 'from' | 'to', date: string): Search {
  if (end === 'from') return { from: date, to: to === undefined || to < date ? date : to };
  return { from: from === undefined || from > date ? date : from, to: date };
}

/** Of a date field: empty where the address has something else, such as `-7d`, or a date that no calendar has. */
export function dateIn(text: string | undefined): string {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return '';
  const date = new Date(`${text}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : '';
}

function dateOf(date: Date): string {
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}
