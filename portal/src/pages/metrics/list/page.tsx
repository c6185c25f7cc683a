import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Metric, metricsQuery } from '../../../api/metrics.ts';
import { useSession } from '../../../api/session.ts';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { EmptyState, QueryState } from '../../../ui/states.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { MetricList } from './list.tsx';

const route = getRouteApi('/shell/metrics');

/** All metrics: approved ones first, deprecated ones folded. */
export function Metrics() {
  const { search } = route.useSearch();
  const setSearch = useSetSearch();
  const { can } = useSession();
  const mayWrite = can('metrics:write');
  const query = useQuery(metricsQuery(search));
  const { data } = query;
  const inState = (state: Metric['state']) => data?.metrics.filter((metric) => metric.state === state) ?? [];
  return (
    <>
      <PageHead title="Metrics">
        {mayWrite && (
          <ButtonLink look="primary" icon="add" to="/metrics/new-metric">
            New metric
          </ButtonLink>
        )}
      </PageHead>
      <div className="stack">
        {(search !== undefined || data?.total !== 0) && (
          <SearchField label="Search metrics" value={search} onSearch={(next) => setSearch({ search: next })} />
        )}
        <QueryState query={query} what="metrics" height={320} />
        {data && (
          <>
            <Section title="Approved" metrics={inState('approved')} />
            <Section title="Proposed" metrics={inState('proposed')} />
            <Deprecated metrics={inState('deprecated')} />
            {data.total === 0 && <NoMetrics search={search} mayWrite={mayWrite} />}
          </>
        )}
      </div>
    </>
  );
}

function Section({ title, metrics }: { title: string; metrics: readonly Metric[] }) {
  if (metrics.length === 0) return null;
  return (
    <section className="stack tight" aria-label={title}>
      <h2>
        {title} <span className="muted">{metrics.length.toLocaleString()}</span>
      </h2>
      <MetricList label={`${title} metrics`} metrics={metrics} />
    </section>
  );
}

function Deprecated({ metrics }: { metrics: readonly Metric[] }) {
  if (metrics.length === 0) return null;
  return (
    <details className="folded">
      <summary>Deprecated, {metrics.length.toLocaleString()}</summary>
      <MetricList label="Deprecated metrics" metrics={metrics} />
    </details>
  );
}

function NoMetrics({ search, mayWrite }: { search: string | undefined; mayWrite: boolean }) {
  return (
    <div className="panel">
      {search !== undefined ? (
        <EmptyState title="No metric matches">
          <p>Search for other words of its name, its title or its synonyms.</p>
        </EmptyState>
      ) : (
        <EmptyState title="No metrics yet">
          <p>
            A metric is one definition of a KPI: cards, the portal and agents that ask for it by name get the same
            number.
          </p>
          {mayWrite ? (
            <Link to="/metrics/new-metric">Define the first one</Link>
          ) : (
            <p>Your role may look at metrics, not define them.</p>
          )}
        </EmptyState>
      )}
    </div>
  );
}
