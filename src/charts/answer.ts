/** The answer of `render_dashboard_card` and of REST's `render`: the input of a chart. */
export interface RenderedCard {
  card: { title: string; cardType: CardType };
  data: CardData;
  basis: CardBasis;
  note?: string | undefined;
}

export type CardType = 'number' | 'rate' | 'line' | 'bar' | 'pie' | 'table' | 'funnel' | 'gauge';

export type CardData = ValueData | SeriesData | GroupsData | TableData | StepsData;

export interface Change {
  value: number | null;
  change: number | null;
  changeRatio: number | null;
}

export interface NumberFormat {
  prefix?: string | undefined;
  suffix?: string | undefined;
  decimals?: number | undefined;
}

export interface ValueData {
  value: number | null;
  /** The value in English, with prefix and suffix. */
  formatted: string;
  /** The format in the card's config, for other languages. */
  format?: NumberFormat | undefined;
  numerator?: number | undefined;
  denominator?: number | undefined;
  previous?: Change | undefined;
  min?: number | undefined;
  max?: number | undefined;
  target?: number | undefined;
  thresholds?: { value: number; label?: string | undefined; color?: string | undefined }[] | undefined;
}

/** `group` is absent without groups, and an object for groups by several keys. */
export interface SeriesData {
  series: { bucket: string; group?: unknown; value: number | null }[];
}

export interface GroupsData {
  groups: { group: unknown; value: number | null; previous?: Change | undefined }[];
}

export interface TableData {
  rows: Record<string, unknown>[];
  columns: { key: string; type: string }[];
  total: number;
}

export interface StepsData {
  steps: { label: string; eventName: string; count: number; conversion: number | null }[];
}

export interface CardBasis {
  aggregation?: string | undefined;
  from: string | null;
  to: string | null;
  timezone: string;
  matchedEvents: number;
}
