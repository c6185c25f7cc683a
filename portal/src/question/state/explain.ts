const EXPLAINED = ['number', 'rate', 'gauge', 'line', 'bar', 'pie'];
/** Aggregations whose change can be split among groups. */
export const SPLIT = ['count', 'sum', 'avg', 'rate'];
/** The default of cards. */
const DEFAULT_DATE_FROM = '-30d';

interface Dates {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  timezone?: string | undefined;
}

/** The question why a card's number changed; null for cards whose change cannot be split among groups. `range` replaces that of the card. */
export function explainQuestion(card: { cardType: string; config: object }, range: Dates = {}): object | null {
  if (!EXPLAINED.includes(card.cardType)) return null;
  const config = card.config as Record<string, unknown>;
  const { metric, eventName, propertyKey, numerator, filters, segment } = config;
  const aggregation = card.cardType === 'rate' ? 'rate' : config.aggregation;
  if (metric === undefined && !SPLIT.includes(String(aggregation))) return null;
  const asked = metric === undefined ? { eventName, aggregation, propertyKey, numerator } : { metric };
  const { dateFrom = DEFAULT_DATE_FROM, dateTo, timezone } = config;
  const question = {
    ...asked,
    filters,
    segment,
    ...(range.dateFrom === undefined ? { dateFrom, dateTo, timezone } : range),
  };
  return Object.fromEntries(Object.entries(question).filter(([, value]) => value !== undefined));
}
