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
import { t } from '../../../language/index.ts';
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
          Metrics with a similar name
        </Link>
      </p>
      <Link to="/metrics">All metrics</Link>
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
            Explain the change
          </ButtonLink>
        )}
        {can('alerts:write') && state !== 'deprecated' && (
          <ButtonLink icon="bell" to="/alerts/new-alert" search={{ metric: name }}>
            Alert
          </ButtonLink>
        )}
        {can('metrics:write') && (
          <>
            <ButtonLink icon="edit" to="/metrics/$name/edit" params={{ name }}>
              Edit
            </ButtonLink>
            {state !== 'deprecated' && (isAdministrator || approvedVersion === null) && (
              <Button look="danger" onClick={() => setDecision({ kind: 'deprecate' })}>
                Deprecate
              </Button>
            )}
          </>
        )}
        {isAdministrator && waits && (
          <Button look="primary" icon="check" onClick={() => setDecision({ kind: 'approve', version: newest.version })}>
            Approve version {newest.version}
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
    return 'Deprecated: no search finds it. Questions that name it get an answer that says so.';
  if (approvedVersion === null)
    return `Nobody has approved it. Questions that name it get version ${latestVersion}, with a note.`;
  const approved = `Questions that name it get version ${approvedVersion}, which is approved.`;
  return waits ? `${approved} Version ${latestVersion} waits for an administrator.` : approved;
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
          Last 30 days
        </h2>
        <Button icon="table" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table
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
              {basisInWords(pictures.line.basis, navigator.language)}
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
    Measures: <Measured formula={metric.formula} />,
    Good: DIRECTIONS.find(({ value }) => value === goodDirection)?.label,
    Unit: unit,
    Written: writtenAs(metric),
    'Also called': synonyms.length === 0 ? 'No synonyms' : synonyms.join(', '),
    Owner: owner ?? 'Nobody named',
    Version: (
      <>
        {version}, proposed by {createdBy} on <Time iso={createdAt} />
      </>
    ),
    [state === 'approved' ? 'Approved' : 'Deprecated']: decidedBy !== null && decidedAt !== null && (
      <>
        by {decidedBy} on <Time iso={decidedAt} />
      </>
    ),
  };
  return (
    <Section id="definition" title="Definition">
      <p className="prose-text">{description ?? <span className="muted">It has no description.</span>}</p>
      <Facts label="Definition" facts={facts} />
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
    isInPercent(metric) ? 'in percent' : 'as a number',
    ...(prefix === undefined ? [] : [`“${prefix}” before it`]),
    ...(suffix === undefined ? [] : [`“${suffix}” after it`]),
    ...(decimals === undefined ? [] : [`${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`]),
  ].join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
