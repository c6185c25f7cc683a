import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { AGGREGATE } from '../../../api/answers.ts';
import { api } from '../../../api/client.ts';
import { type Metric, metricQuery, versionsQuery } from '../../../api/metrics.ts';
import { useSession } from '../../../api/session.ts';
import { Chart } from '../../../card/chart.tsx';
import { DataTable } from '../../../card/data-table.tsx';
import { Notes } from '../../../card/notes.tsx';
import { basisInWords } from '../../../card/words.ts';
import { CasesLink } from '../../../feed/cases-link.tsx';
import { LOCALE, t } from '../../../language/index.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead, Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { UnreadPage } from '../../../ui/unread-page.tsx';
import { isInPercent, picturesOf } from '../format.ts';
import { StateBadges } from '../state-badge.tsx';
import { canBeExplained, DIRECTIONS, isFormula, measureInWords } from '../words.ts';
import type { Decision } from './dialogs.tsx';
import { Versions } from './versions.tsx';

const DecisionDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/metrics/$name');

/** A metric: its definition, its values and its versions. */
export function MetricPage() {
  const { name } = route.useParams();
  const query = useQuery(metricQuery(name));
  if (query.data && !query.error) return <Shown key={name} metric={query.data.metric} />;
  return (
    <UnreadPage title={name} missing={t('There is no such metric')} query={query}>
      <p>
        <Link to="/metrics" search={{ search: name }}>
          {t('Metrics with a similar name')}
        </Link>
      </p>
      <Link to="/metrics">{t('All metrics')}</Link>
    </UnreadPage>
  );
}

function Shown({ metric }: { metric: Metric }) {
  const { name, title, state, latestVersion, approvedVersion } = metric;
  const { can, isAdministrator } = useSession();
  const [decision, setDecision] = useState<Decision | null>(null);
  const versions = useQuery(versionsQuery(name));
  const newest = versions.data?.versions[0];
  const waits = newest?.state === 'proposed';
  return (
    <>
      <PageHead title={title}>
        {canBeExplained(metric.formula) && (
          <ButtonLink
            to="/explain"
            search={{ question: JSON.stringify({ metric: name, dateFrom: '-7d', dateTo: 'yesterday' }) }}
          >
            {t('Explain the change')}
          </ButtonLink>
        )}
        {can('alerts:write') && state !== 'deprecated' && (
          <ButtonLink icon="bell" to="/alerts/new-alert" search={{ metric: name }}>
            {t('Alert')}
          </ButtonLink>
        )}
        {can('metrics:write') && (
          <>
            <ButtonLink icon="edit" to="/metrics/$name/edit" params={{ name }}>
              {t('Edit')}
            </ButtonLink>
            {state !== 'deprecated' && (isAdministrator || approvedVersion === null) && (
              <Button look="danger" onClick={() => setDecision({ kind: 'deprecate' })}>
                {t('Deprecate')}
              </Button>
            )}
          </>
        )}
        {isAdministrator && waits && (
          <Button look="primary" icon="check" onClick={() => setDecision({ kind: 'approve', version: newest.version })}>
            {t('Approve version {version}', { version: newest.version })}
          </Button>
        )}
      </PageHead>
      <div className="stack">
        <div className="row">
          <StateBadges metric={metric} />
          <code>{name}</code>
        </div>
        <p className="notice">{standsFor({ state, waits, latestVersion, approvedVersion })}</p>
        <div className="halves">
          <Definition metric={metric} />
          <MetricPreview metric={metric} />
        </div>
        <Versions
          metric={metric}
          query={versions}
          onApprove={isAdministrator ? (version) => setDecision({ kind: 'approve', version }) : null}
        />
      </div>
      {decision && <DecisionDialog metric={metric} decision={decision} onClose={() => setDecision(null)} />}
    </>
  );
}

/** Says which version questions get that name the metric. */
function standsFor({
  state,
  waits,
  latestVersion,
  approvedVersion,
}: Pick<Metric, 'state' | 'latestVersion' | 'approvedVersion'> & { waits: boolean }): string {
  if (state === 'deprecated')
    return t('Deprecated: no search finds it. Questions that name it get an answer that says so.');
  if (approvedVersion === null)
    return t('Nobody has approved it. Questions that name it get version {version}, with a note.', {
      version: latestVersion,
    });
  const approved = t('Questions that name it get version {version}, which is approved.', { version: approvedVersion });
  if (!waits) return approved;
  return `${approved} ${t('Version {version} waits for an administrator.', { version: latestVersion })}`;
}

/** The value of the last 30 days and a line of their days. */
function MetricPreview({ metric }: { metric: Metric }) {
  const [isTable, setTable] = useState(false);
  const agentId = useAgent() ?? '*';
  const query = api.useQuery('post', AGGREGATE, {
    body: { metric: metric.name, agentId, dateFrom: '-30d', dateGrouping: 'day', compareTo: 'previous_period' },
  });
  const { data } = query;
  const pictures = useMemo(() => (data ? picturesOf(data, metric) : null), [data, metric]);
  return (
    <section className="panel padded stack" aria-labelledby="preview">
      <div className="row">
        <h2 id="preview" className="grow">
          {t('Last 30 days')}
        </h2>
        <Button icon="table" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {t('Table')}
        </Button>
      </div>
      <QueryState query={query} height={320} />
      {pictures && (
        <>
          <div className="picture value">
            <Chart rendered={pictures.value} />
          </div>
          <div className="picture line">
            {isTable ? <DataTable rendered={pictures.line} /> : <Chart rendered={pictures.line} />}
          </div>
          <div className="small muted">
            <p>
              {basisInWords(pictures.line.basis, LOCALE)}
              <CasesLink isInline cases={data?.basis.cases} />
            </p>
            <Notes notes={[data?.note]} />
          </div>
        </>
      )}
    </section>
  );
}

/** The definition in words and as a formula. */
function Definition({ metric }: { metric: Metric }) {
  const { description, version, synonyms = [], unit, owner, goodDirection, state } = metric;
  const { createdBy, createdAt, decidedBy, decidedAt } = metric;
  const facts = {
    [t('Measures')]: <Measured formula={metric.formula} />,
    [t('Good|a direction')]: DIRECTIONS.find(({ value }) => value === goodDirection)?.label,
    [t('Unit')]: unit,
    [t('Written')]: writtenAs(metric),
    [t('Also called')]: synonyms.length === 0 ? t('No synonyms') : synonyms.join(', '),
    [t('Owner')]: owner ?? t('Nobody named'),
    [t('Version')]: t.nodes('{version}, proposed by {user} on {time}', {
      version,
      user: createdBy,
      time: <Time iso={createdAt} />,
    }),
    [state === 'approved' ? t('Approved|a metric') : t('Deprecated|a metric')]:
      decidedBy !== null &&
      decidedAt !== null &&
      t.nodes('by {user} on {time}', { user: decidedBy, time: <Time iso={decidedAt} /> }),
  };
  return (
    <Section id="definition" title={t('Definition')}>
      <p className="prose-text">{description ?? <span className="muted">{t('It has no description.')}</span>}</p>
      <Facts label={t('Definition')} facts={facts} />
    </Section>
  );
}

function Measured({ formula }: Pick<Metric, 'formula'>): ReactNode {
  if (!isFormula(formula)) return measureInWords(formula);
  return (
    <div className="stack tight">
      <code>{formula.expression}</code>
      <ul className="bullets">
        {Object.entries(formula.parts).map(([part, measure]) => (
          <li key={part}>
            <code>{part}</code>: {measureInWords(measure)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** "In percent, 1 decimal" */
function writtenAs(metric: Metric): string {
  const { prefix, suffix, decimals } = metric.format ?? {};
  const words = [
    isInPercent(metric) ? t('in percent') : t('as a number'),
    ...(prefix === undefined ? [] : [t('“{prefix}” before it', { prefix })]),
    ...(suffix === undefined ? [] : [t('“{suffix}” after it', { suffix })]),
    ...(decimals === undefined ? [] : [t.count(decimals, '{count} decimal', '{count} decimals')]),
  ].join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
