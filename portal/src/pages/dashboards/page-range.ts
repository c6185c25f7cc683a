import { t } from '../../language/index.ts';
import { PRESETS } from '../../question/state/range.ts';

/** The range as the API takes it. An empty one leaves each card its own. */
export interface PageRange {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  timezone?: string | undefined;
}

/** The search parameters of the page. */
interface Search {
  from?: string | undefined;
  to?: string | undefined;
}

const AS_CARDS_SAY = 'cards';
const CUSTOM = 'custom';
/** `mtd` and not `this_month`: a chart of days to come has nothing to show. */
const PRESETS_OFFERED = ['today', '-24h', '-7d', '-30d', '-90d', 'mtd', 'last_month'];

export const RANGE_CHOICES: readonly { value: string; label: string }[] = [
  { value: AS_CARDS_SAY, label: t('Range of each card') },
  ...PRESETS.filter(({ value }) => PRESETS_OFFERED.includes(value)),
  { value: CUSTOM, label: t('Custom') },
];

const DAY_MS = 86_400_000;
const CUSTOM_DAYS = 30;

/** Days are those of `timezone`, where the person is. */
export function pageRangeOf({ from, to }: Search, timezone: string): PageRange {
  if (from === undefined && to === undefined) return {};
  return { ...(from === undefined ? {} : { dateFrom: from }), ...(to === undefined ? {} : { dateTo: to }), timezone };
}

export function choiceOf({ from, to }: Search): string {
  if (to !== undefined) return CUSTOM;
  if (from === undefined) return AS_CARDS_SAY;
  return PRESETS_OFFERED.includes(from) ? from : CUSTOM;
}

/** The search parameters of a choice. A custom range begins as the last 30 days, with today. */
export function searchOf(choice: string, now: Date): Search {
  if (choice === AS_CARDS_SAY) return { from: undefined, to: undefined };
  if (choice !== CUSTOM) return { from: choice, to: undefined };
  return { from: dateOf(new Date(now.getTime() - (CUSTOM_DAYS - 1) * DAY_MS)), to: dateOf(now) };
}

/** With one end of a custom range changed: the other gives way, so that the range never ends before it begins. */
export function withEnd({ from, to }: Search, end: 'from' | 'to', date: string): Search {
  if (end === 'from') return { from: date, to: to === undefined || to < date ? date : to };
  return { from: from === undefined || from > date ? date : from, to: date };
}

/** The value of a date field: empty where the address has something else, such as `-7d`, or a date that no calendar has. */
export function dateIn(text: string | undefined): string {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return '';
  const date = new Date(`${text}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : '';
}

function dateOf(date: Date): string {
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}
