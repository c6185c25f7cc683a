import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useKnownCards } from '../../api/dashboards.ts';
import { partsOf } from '../../api/metric-reference.ts';
import { useKnownMetric } from '../../api/metrics.ts';
import { LOCALE, t } from '../../language/index.ts';
import { rowsOf } from '../../question/filters/filters.ts';
import { textOf } from '../../question/state/text.ts';
import { formatValue, type ValueFormat } from '../metrics/format.ts';
import type { Alert } from './alerts.ts';
import { metricAsked, questionInWords } from './words.ts';

type Asked = Pick<Alert, 'metric' | 'question' | 'cardId'>;

/** Formats values of an alert as its metric or its card does. */
export function useValueFormatter(alert: Asked): (value: number | null) => string {
  const { cardId, question } = alert;
  const card = useKnownCards(cardId !== undefined)?.find(({ id }) => id === cardId);
  const config = (card?.config ?? {}) as Record<string, unknown>;
  const named = metricAsked(alert) || (typeof config.metric === 'string' ? config.metric : '');
  const metric = useKnownMetric(named) as ValueFormat | undefined;
  const isRate = card?.cardType === 'rate' || (question?.aggregation ?? config.aggregation) === 'rate';
  const plain = {
    format: config.format,
    formula: { aggregation: isRate ? 'rate' : 'count' },
  } as unknown as ValueFormat;
  return (value) => formatValue(value, metric ?? plain, LOCALE);
}

/** The subject of an alert: a metric, a measure of events, or a card. Links lie above that of the row. */
export function AskedInWords({ alert, isLinked }: { alert: Asked; isLinked: boolean }): ReactNode {
  const { question, cardId } = alert;
  const reference = metricAsked(alert);
  const [name] = partsOf(reference);
  const metric = useKnownMetric(reference);
  const card = useKnownCards(cardId !== undefined)?.find(({ id }) => id === cardId);
  if (cardId !== undefined) {
    const title = card?.title ?? t('a card that is not there any more');
    if (!isLinked || !card) return t('Card: {title}', { title });
    const link = (
      <Link to="/cards/$id" params={{ id: cardId }}>
        {title}
      </Link>
    );
    return t.nodes('Card: {title}', { title: link });
  }
  const segmentName = textOf(question?.segment);
  const segment = segmentName === '' ? '' : `, ${t('of the segment {name}', { name: segmentName })}`;
  if (reference === '') return questionInWords(question ?? {}) + segment;
  const filters = rowsOf(question?.filters).length;
  return (
    <>
      {t.nodes('Metric: {title}', {
        title: isLinked ? (
          <Link to="/metrics/$name" params={{ name }}>
            {metric?.title ?? name}
          </Link>
        ) : (
          (metric?.title ?? name)
        ),
      })}
      {reference !== name && `, ${t('version {version}', { version: reference.slice(name.length + 1) })}`}
      {filters > 0 && `, ${t.count(filters, 'with a filter', 'with {count} filters')}`}
      {segment}
    </>
  );
}
