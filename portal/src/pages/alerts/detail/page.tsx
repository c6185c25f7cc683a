import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { AGGREGATE } from '../../../api/answers.ts';
import { api, client } from '../../../api/client.ts';
import { useKnownMetric } from '../../../api/metrics.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { useSession } from '../../../api/session.ts';
import { Chart } from '../../../card/chart.tsx';
import { CasesLink } from '../../../feed/cases-link.tsx';
import { t } from '../../../language/index.ts';
import { SendingPage } from '../../../sending/page.tsx';
import { Deliveries } from '../../../sending/shown.tsx';
import { forReaders } from '../../../shell/readers-page.tsx';
import { Item, ItemList } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { picturesOf } from '../../metrics/format.ts';
import { ALERTS, type Alert, alertQuery, historyQuery, invalidateAlerts } from '../alerts.ts';
import { useValueFormatter } from '../asked.tsx';
import { StateBadge, StateBadges } from '../state-badge.tsx';
import { type Bucket, bucketInWords, bucketOf, metricAsked } from '../words.ts';
import { Definition, LastCheck } from './facts.tsx';

const AlertDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/alerts/$id');

/** An alert: its definition, its state, its values and its history. */
export const AlertPage = forReaders(t('Alert'), 'alerts', 'alerts:read', OneAlert);

function OneAlert() {
  const query = useQuery(alertQuery(route.useParams().id));
  return (
    <SendingPage
      noun="alert"
      query={query}
      stored={query.data?.alert}
      sendLabel={t('Test')}
      onSwitch={(id, enabled) => client.PATCH(`${ALERTS}/{id}`, { params: { path: { id } }, body: { enabled } })}
      invalidate={invalidateAlerts}
      Dialog={AlertDialog}
    >
      {(alert) => (
        <>
          <div className="row">
            <StateBadges alert={alert} />
            {!alert.enabled && (
              <span className="muted">{alert.disabledReason ?? t('It is not checked until it is switched on.')}</span>
            )}
          </div>
          <div className="halves">
            <Definition alert={alert} />
            <LastCheck alert={alert} />
          </div>
          <Values alert={alert} />
          <History alert={alert} />
        </>
      )}
    </SendingPage>
  );
}

type DrawnMetric = Parameters<typeof picturesOf>[1];

const SHOWN = {
  hour: { dateFrom: '-48h', label: t('Last 48 hours') },
  day: { dateFrom: '-30d', label: t('Last 30 days') },
  week: { dateFrom: '-12w', label: t('Last 12 weeks') },
  month: { dateFrom: '-12mo', label: t('Last 12 months') },
} as const;

/**
 * A line of the last hours, days, weeks or months. A card has its own picture. A reader with other
 * limits than the alert would see other numbers, and gets no line.
 */
function Values({ alert }: { alert: Alert }) {
  const bucket = bucketOf(alert);
  const { limits } = useSession();
  const readsOthers = alert.limits !== undefined && JSON.stringify(alert.limits) !== JSON.stringify(limits);
  return bucket === undefined || readsOthers ? null : <Line alert={alert} bucket={bucket} />;
}

function Line({ alert, bucket }: { alert: Alert; bucket: Bucket }) {
  const { metric: named, question, condition, timezone, title } = alert;
  const known = useKnownMetric(metricAsked(alert)) as DrawnMetric | undefined;
  const { dateFrom, label } = SHOWN[bucket];
  const asked = question ?? { metric: named };
  const body = { agentId: '*', ...asked, dateFrom, timezone, dateGrouping: bucket } as Schemas['AggregateEvents'];
  const query = api.useQuery('post', AGGREGATE, { body });
  const { data } = query;
  const picture = useMemo(() => {
    const plain = { goodDirection: 'none', formula: { aggregation: question?.aggregation ?? 'count' } };
    const metric = { ...(known ?? plain), title } as unknown as DrawnMetric;
    if (!data) return undefined;
    // The last bucket is not over: it is not checked yet.
    const { line } = picturesOf({ ...data, series: data.series?.slice(0, -1) }, metric);
    return condition.type === 'threshold' ? { ...line, data: { ...line.data, limit: condition.value } } : line;
  }, [data, known, question, title, condition]);
  return (
    <Section id="values" title={label}>
      <QueryState query={query} height={260} />
      {picture && (
        <div className="picture line">
          <Chart rendered={picture} />
        </div>
      )}
    </Section>
  );
}

/** Changes of the state, and messages with their deliveries. */
function History({ alert }: { alert: Alert }) {
  const query = useQuery(historyQuery(alert.id));
  if (query.error || !query.data) return <QueryState query={query} />;
  const { changes, total, deliveries } = query.data;
  return (
    <div className="halves">
      <Section id="changes" title={t('Changes')} className="stack tight">
        {changes.length === 0 && <p className="muted">{t('Its state has not changed yet.')}</p>}
        {changes.length > 0 && (
          <ItemList label={t('Changes')}>
            {changes.map((change) => (
              <ChangeItem key={change.id} alert={alert} change={change} />
            ))}
          </ItemList>
        )}
        {total > changes.length && (
          <p className="small muted">{t('The newest {count} of {total}.', { count: changes.length, total })}</p>
        )}
      </Section>
      <Section id="messages" title={t('Messages')} className="stack tight">
        <Deliveries deliveries={deliveries} />
      </Section>
    </div>
  );
}

function ChangeItem({ alert, change }: { alert: Alert; change: Schemas['AlertChange'] }) {
  const { from, to, at, bucket, value, comparedWith, error, notified, cases } = change;
  const formatted = useValueFormatter(alert);
  return (
    <Item
      title={
        <>
          <StateBadge state={from} /> <span aria-hidden="true">→</span>
          <span className="visually-hidden">{t('became')}</span> <StateBadge state={to} />
        </>
      }
    >
      {error !== null && <p className="bad-text">{error}</p>}
      {bucket !== null && (
        <p>
          {comparedWith === null
            ? formatted(value)
            : t('{value}, compared with {other}', { value: formatted(value), other: formatted(comparedWith) })}{' '}
          · {bucketInWords(bucket, bucketOf(alert))}
        </p>
      )}
      <p className="small muted">
        <Time iso={at} /> · {notified ? t('a message was sent') : t('no message was sent')}
        <CasesLink isInline cases={cases} />
      </p>
    </Item>
  );
}
