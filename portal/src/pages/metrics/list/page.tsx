import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { AGGREGATE } from '../../../api/answers.ts';
import { api } from '../../../api/client.ts';
import { type Metric, metricsQuery } from '../../../api/metrics.ts';
import { LOCALE, t } from '../../../language/index.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { Item, ItemLink, ItemList } from '../../../ui/item-list.tsx';
import { ListPage } from '../../../ui/list-page.tsx';
import { ViewLink, Views } from '../../../ui/views.tsx';
import { formatValue } from '../format.ts';
import { StateBadges } from '../state-badge.tsx';
import { Terms } from '../terms/page.tsx';

const route = getRouteApi('/shell/metrics');

/** All metrics: approved ones first, deprecated ones folded. */
export function Metrics() {
  return route.useSearch().show === 'glossary' ? <Terms views={VIEWS} /> : <MetricPages />;
}

const VIEWS = (
  <Views label={t('Views')}>
    <ViewLink to="/metrics" activeOptions={{ exact: true, includeSearch: true }}>
      {t('Metrics')}
    </ViewLink>
    <ViewLink to="/metrics" search={{ show: 'glossary' }} activeOptions={{ includeSearch: true }}>
      {t('Glossary')}
    </ViewLink>
  </Views>
);

function MetricPages() {
  const { search } = route.useSearch();
  return (
    <ListPage
      title={t('Metrics')}
      views={VIEWS}
      noun="metric"
      query={useQuery(metricsQuery(search))}
      right="metrics:write"
      add="/metrics/new-metric"
      searchHelp={t('Search for other words of its name, its title or its synonyms.')}
      purpose={t(
        'A metric is one definition of a KPI: cards, the portal and agents that ask for it by name get the same number.',
      )}
    >
      {({ metrics }) => {
        const inState = (state: Metric['state']) => metrics.filter((metric) => metric.state === state);
        return (
          <>
            <Section title={t('Approved')} label={t('Approved metrics')} metrics={inState('approved')} />
            <Section title={t('Proposed')} label={t('Proposed metrics')} metrics={inState('proposed')} />
            <Deprecated metrics={inState('deprecated')} />
          </>
        );
      }}
    </ListPage>
  );
}

interface SectionProps {
  title: string;
  /** The label of its list. */
  label: string;
  metrics: readonly Metric[];
}

function Section({ title, label, metrics }: SectionProps) {
  if (metrics.length === 0) return null;
  return (
    <section className="stack tight" aria-label={title}>
      <h2>
        {title} <span className="muted">{metrics.length.toLocaleString(LOCALE)}</span>
      </h2>
      <MetricList label={label} metrics={metrics} />
    </section>
  );
}

function Deprecated({ metrics }: { metrics: readonly Metric[] }) {
  if (metrics.length === 0) return null;
  return (
    <details className="folded">
      <summary>{t('Deprecated, {count}', { count: metrics.length })}</summary>
      <MetricList label={t('Deprecated metrics')} metrics={metrics} />
    </details>
  );
}

function MetricList({ label, metrics }: { label: string; metrics: readonly Metric[] }) {
  return (
    <ItemList label={label}>
      {metrics.map((metric) => (
        <MetricItem key={metric.name} metric={metric} />
      ))}
    </ItemList>
  );
}

function MetricItem({ metric }: { metric: Metric }) {
  const { name, title, description, owner } = metric;
  return (
    <Item
      title={
        <ItemLink to="/metrics/$name" params={{ name }}>
          {title}
        </ItemLink>
      }
      beside={<StateBadges metric={metric} />}
      end={<Value metric={metric} />}
    >
      {description && <p className="clamped muted">{description}</p>}
      <p className="small muted">
        <code>{name}</code>
        {owner && ` · ${owner}`}
      </p>
    </Item>
  );
}

/** The value of the last 30 days, requested once the row is seen. */
function Value({ metric }: { metric: Metric }) {
  const place = useRef<HTMLParagraphElement>(null);
  const isSeen = useSeen(place);
  const agentId = useAgent() ?? '*';
  const { data, isPending, error } = api.useQuery(
    'post',
    AGGREGATE,
    { body: { metric: metric.name, agentId, dateFrom: '-30d' } },
    { enabled: isSeen },
  );
  return (
    <p ref={place} className="item-value" aria-busy={isPending && isSeen}>
      {data && (
        <>
          <strong>{formatValue(data.value, metric, LOCALE)}</strong>
          <span className="small muted">{t('last 30 days')}</span>
        </>
      )}
      {error !== null && <span className="small muted">{t('no answer')}</span>}
    </p>
  );
}

/** True once the element has been near the visible part of the page: for rows that request something. */
function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !element.current) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isSeen]);
  return isSeen;
}
