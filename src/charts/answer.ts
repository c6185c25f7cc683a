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
  /** Writes 0.25 as 25%; a rate is written in percent by default. */
  percent?: boolean | undefined;
}

/** How values are written, and whether a rise or a fall of them is good. */
export interface Presented {
  format?: NumberFormat | undefined;
  /** The metric's unit, such as "minutes". It follows a number whose format has no other sign. */
  unit?: string | undefined;
  goodDirection?: 'up' | 'down' | 'none' | undefined;
}

export interface Annotation {
  /** An instant in UTC. */
  at: string;
  text: string;
}

export interface ValueData extends Presented {
  value: number | null;
  /** The value in English, with prefix and suffix. */
  formatted: string;
  numerator?: number | undefined;
  denominator?: number | undefined;
  previous?: Change | undefined;
  min?: number | undefined;
  max?: number | undefined;
  target?: number | undefined;
  thresholds?: { value: number; label?: string | undefined; color?: string | undefined }[] | undefined;
}

/** `group` is absent without groups, and an object for groups by several keys. */
export interface SeriesData extends Presented {
  series: { bucket: string; group?: unknown; value: number | null }[];
  annotations?: Annotation[] | undefined;
  /** A level line across a line chart: the limit of an alert. */
  limit?: number | undefined;
}

export interface GroupsData extends Presented {
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
  segment?: { name: string } | undefined;
}
