import { t } from '../../language/index.ts';
/** The range of a question as the form holds it. */
export interface Range {
  /** The value of a preset, `NO_DATES`, `DAYS` or `WORDS`. */
  choice: string;
  from: string;
  to: string;
}

export interface RangeMembers {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

interface Preset extends RangeMembers {
  value: string;
  label: string;
}

/** No dates; the meaning depends on the question. */
export const NO_DATES = '';
/** A first day, a last day, or both. */
export const DAYS = 'days';
/** Dates as the API accepts them, including relative ones. */
export const WORDS = 'words';

export const PRESETS: readonly Preset[] = [
  { value: 'today', label: t('Today'), dateFrom: 'today' },
  { value: 'yesterday', label: t('Yesterday'), dateFrom: 'yesterday', dateTo: 'yesterday' },
  { value: '-24h', label: t('Last 24 hours'), dateFrom: '-24h' },
  { value: '-7d', label: t('Last 7 days'), dateFrom: '-7d' },
  { value: '-30d', label: t('Last 30 days'), dateFrom: '-30d' },
  { value: '-90d', label: t('Last 90 days'), dateFrom: '-90d' },
  { value: '-12mo', label: t('Last 12 months'), dateFrom: '-12mo' },
  { value: '-7d whole', label: t('Last 7 whole days, without today'), dateFrom: '-7d', dateTo: 'yesterday' },
  { value: '-30d whole', label: t('Last 30 whole days, without today'), dateFrom: '-30d', dateTo: 'yesterday' },
  { value: 'wtd', label: t('This week so far'), dateFrom: 'wtd' },
  { value: 'mtd', label: t('This month so far'), dateFrom: 'mtd' },
  { value: 'qtd', label: t('This quarter so far'), dateFrom: 'qtd' },
  { value: 'ytd', label: t('This year so far'), dateFrom: 'ytd' },
  { value: 'last_week', label: t('Last week'), dateFrom: 'last_week' },
  { value: 'last_month', label: t('Last month'), dateFrom: 'last_month' },
  { value: 'last_quarter', label: t('Last quarter'), dateFrom: 'last_quarter' },
  { value: 'last_year', label: t('Last year'), dateFrom: 'last_year' },
];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const isDay = (text: string | undefined) => text === undefined || DAY.test(text);

export function rangeOf({ dateFrom, dateTo }: RangeMembers): Range {
  const [from, to] = [dateFrom ?? '', dateTo ?? ''];
  if (from === '' && to === '') return { choice: NO_DATES, from, to };
  const preset = PRESETS.find((one) => one.dateFrom === dateFrom && one.dateTo === dateTo);
  if (preset) return { choice: preset.value, from, to };
  return { choice: isDay(dateFrom) && isDay(dateTo) ? DAYS : WORDS, from, to };
}

export function membersOf({ from, to }: Range): RangeMembers {
  return { ...(from === '' ? {} : { dateFrom: from }), ...(to === '' ? {} : { dateTo: to }) };
}

/** The range after another choice. `DAYS` keeps both ends if they are days, `WORDS` in any case. */
export function chooseRange({ from, to }: Range, choice: string): Range {
  if (choice === WORDS) return { choice, from, to };
  if (choice === DAYS) return { choice, from: DAY.test(from) ? from : '', to: DAY.test(to) ? to : '' };
  const preset = PRESETS.find(({ value }) => value === choice);
  return { choice, from: preset?.dateFrom ?? '', to: preset?.dateTo ?? '' };
}

/** "last 7 days"; null without dates. */
export function rangeWords({ choice, from, to }: Range): string | null {
  const preset = PRESETS.find(({ value }) => value === choice);
  if (preset) return preset.label.charAt(0).toLowerCase() + preset.label.slice(1);
  if (from === '' && to === '') return null;
  if (to === '') return t('since {date}', { date: from });
  return from === '' ? t('until {date}', { date: to }) : t('{from} to {to}', { from, to });
}
