import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Metric, metricQuery, versionsQuery } from '../../../api/metrics.ts';
import { useSession } from '../../../api/session.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { StateBadges } from '../state-badge.tsx';
import { canBeExplained } from '../words.ts';
import { Definition } from './definition.tsx';
import type { Decision } from './dialogs.tsx';
import { MetricPreview } from './preview.tsx';
import { Versions } from './versions.tsx';

const DecisionDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/metrics/$name');

/** A metric: its definition, its values and its versions. */
export function MetricPage() {
  const { name } = route.useParams();
  const query = useQuery(metricQuery(name));
  if (query.data && !query.error) return <Shown key={name} metric={query.data.metric} />;
  return (
    <>
      <PageHead title={name} />
      <QueryState query={query} what="the metric" height={320} />
    </>
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
