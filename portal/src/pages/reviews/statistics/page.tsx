import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, basePath } from '../../../api/client.ts';
import { Chart } from '../../../card/chart.tsx';
import { LOCALE, t } from '../../../language/index.ts';
import { forReaders } from '../../../shell/readers-page.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { Figures } from '../../../ui/figures.tsx';
import { PageHead, Section } from '../../../ui/page-head.tsx';
import { EmptyState, QueryState } from '../../../ui/states.tsx';
import { Agreement } from './agreement.tsx';
import { Outcomes } from './outcomes.tsx';
import { durationInWords, picturesOf, type Stats } from './state.ts';

const STATS = '/api/v1/runtime/v1/observability/reviews/stats';

/** How executions were rated, how far the work on them is, and what followed. */
export const ReviewStatistics = forReaders(t('Review statistics'), 'reviews', 'reviews:read', StatisticsPage);

function StatisticsPage() {
  const agent = useAgent();
  const query = api.useQuery('get', STATS, { params: { query: { agentId: agent ?? '*' } } });
  const { data } = query;
  return (
    <>
      <PageHead title={t('Review statistics')} />
      <div className="stack">
        <QueryState query={query} height={480} />
        {data?.total === 0 && <NoReviews agent={agent} />}
        {data && data.total > 0 && (
          <>
            <div className="review-pictures">
              <Totals stats={data} />
              <Pictures stats={data} />
            </div>
            <Outcomes />
          </>
        )}
        <Agreement />
      </div>
    </>
  );
}

function NoReviews({ agent }: { agent: string | undefined }) {
  return (
    <div className="panel">
      <EmptyState
        title={agent === undefined ? t('No reviews yet') : t('No reviews of the agent “{agent}” yet', { agent })}
      >
        <p>
          {t(
            'A review says how good one execution was. Record executions and review them, and their statistics stand here.',
          )}
        </p>
        <a href={`${basePath}docs`}>{t('How to record and review an execution')}</a>
        {agent !== undefined && (
          <Link to="." search={(before) => ({ ...before, agent: undefined })}>
            {t('Show the reviews of all agents')}
          </Link>
        )}
      </EmptyState>
    </div>
  );
}

function Totals({ stats: { total, pending, inProgress, resolved, avgResolutionHours } }: { stats: Stats }) {
  return (
    <Figures
      className="panel padded"
      figures={[
        [t('Reviews'), total.toLocaleString(LOCALE), ''],
        [t('Open|reviews'), (pending + inProgress).toLocaleString(LOCALE), t('pending or in progress')],
        [
          t('Time to resolve'),
          resolved === 0 ? '–' : durationInWords(avgResolutionHours),
          resolved === 0 ? t('none is resolved yet') : t('on average of {count}', { count: resolved }),
        ],
      ]}
    />
  );
}

function Pictures({ stats }: { stats: Stats }) {
  const pictures = useMemo(() => picturesOf(stats), [stats]);
  return pictures.map((rendered, index) => (
    <Section key={rendered.card.title} id={`picture-${index}`} title={rendered.card.title}>
      <div className="review-picture">
        <Chart rendered={rendered} />
      </div>
    </Section>
  ));
}
