import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RenderedCard } from '../../../../../src/charts/answer.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { Chart } from '../../../card/chart.tsx';
import { LOCALE, t } from '../../../language/index.ts';
import { Figures } from '../../../ui/figures.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { callsOf, DONE, FAILED } from '../calls.ts';
import type { Range } from './parts.ts';

const numbers = new Intl.NumberFormat(LOCALE);

interface CallsProps {
  slug: string;
  range: Range;
}

/** The numbers of the calls, mocks aside. */
export function CallFigures({ slug, range: dateFrom }: CallsProps) {
  const done = useQuery(callsOf(slug, DONE, { dateFrom }));
  const failed = useQuery(callsOf(slug, FAILED, { dateFrom }));
  const slow = useQuery(callsOf(slug, DONE, { dateFrom, aggregation: 'p95', propertyKey: 'durationMs' }));
  const fault = [done, failed, slow].find(({ error }) => error !== null);
  if (fault) return <QueryState query={fault} />;
  if (!done.data || !failed.data || !slow.data) return <QueryState query={done} height={80} />;
  const calls = (done.data.value ?? 0) + (failed.data.value ?? 0);
  const p95 = slow.data.value;
  return (
    <section className="panel padded" aria-label={t('Calls')}>
      <Figures
        figures={[
          [t('Calls'), numbers.format(calls), t('without mocks')],
          [t('Failed calls'), numbers.format(failed.data.value ?? 0), null],
          [
            t('Time|taken'),
            p95 === null ? '–' : t('{count} ms', { count: Math.round(p95) }),
            t('95% of calls are faster'),
          ],
        ]}
      />
    </section>
  );
}

/** How long calls that were done have taken. */
export function LatencyChart({ slug, range: dateFrom }: CallsProps) {
  const dateGrouping = dateFrom === '-24h' ? 'hour' : 'day';
  const measure = { dateFrom, dateGrouping, aggregation: 'p95', propertyKey: 'durationMs' } as const;
  const query = useQuery(callsOf(slug, DONE, measure));
  const { data } = query;
  const rendered = useMemo(() => data && pictureOf(data), [data]);
  return (
    <Section id="latency" title={t('Time of calls')}>
      <p className="small muted">{t('95% of the calls were faster than the line, in milliseconds.')}</p>
      {rendered && data?.series?.some(({ value }) => value !== null) ? (
        <div className="picture line">
          <Chart rendered={rendered} />
        </div>
      ) : (
        <>
          <QueryState query={query} height={220} />
          {data && <p className="muted">{t('No call was done in this time.')}</p>}
        </>
      )}
    </Section>
  );
}

function pictureOf({ series = [], basis }: Schemas['AggregateAnswer']): RenderedCard {
  return { card: { title: t('Time of calls'), cardType: 'line' }, data: { series, unit: 'ms' }, basis };
}
