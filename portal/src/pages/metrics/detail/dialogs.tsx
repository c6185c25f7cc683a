import { answerOf, api, client } from '../../../api/client.ts';
import { invalidateMetrics, METRICS, type Metric } from '../../../api/metrics.ts';
import { t } from '../../../language/index.ts';
import { ActDialog } from '../../../ui/dialog.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { Changes } from './versions.tsx';

export type Decision = { kind: 'approve'; version: number } | { kind: 'deprecate' };

interface DecisionDialogProps {
  metric: Metric;
  decision: Decision;
  onClose(): void;
}

/** Asks before a version is approved or the metric deprecated. */
export default function DecisionDialog({ metric, decision, onClose }: DecisionDialogProps) {
  if (decision.kind === 'approve') return <Approve metric={metric} version={decision.version} onClose={onClose} />;
  const { name } = metric;
  return (
    <ActDialog
      title={t('Deprecate this metric?')}
      description={t(
        'No search finds “{name}” any more. Cards and questions that name it keep their answers, which say that it is deprecated. To bring it back, approve a version again.',
        { name },
      )}
      act={t('Deprecate')}
      onAct={() => answerOf(client.DELETE(`${METRICS}/{name}`, { params: { path: { name } } }))}
      invalidate={invalidateMetrics}
      done={t('The metric “{name}” is deprecated', { name })}
      onClose={onClose}
    />
  );
}

function Approve({ metric, version, onClose }: { metric: Metric; version: number; onClose(): void }) {
  const { name, approvedVersion } = metric;
  const then = t('Questions that name “{name}” then get version {version}, on every card and for every agent.', {
    name,
    version,
  });
  const act = t('Approve version {version}', { version });
  return (
    <ActDialog
      title={t('Approve version {version}?', { version })}
      description={
        approvedVersion === null
          ? then
          : `${then} ${t('Version {version} becomes deprecated.', { version: approvedVersion })}`
      }
      act={act}
      look="primary"
      onAct={() =>
        answerOf(client.POST(`${METRICS}/{name}/approve`, { params: { path: { name } }, body: { version } }))
      }
      invalidate={invalidateMetrics}
      done={t('Version {version} of “{name}” is approved', { version, name })}
      onClose={onClose}
    >
      {approvedVersion !== null && <Difference name={name} from={approvedVersion} to={version} />}
    </ActDialog>
  );
}

/** The members that approving changes. */
function Difference({ name, from, to }: { name: string; from: number; to: number }) {
  const { data, error } = api.useQuery('get', `${METRICS}/{name}/diff`, {
    params: { path: { name }, query: { from, to } },
  });
  if (error) return <ErrorNotice error={error} />;
  return data ? <Changes changes={data.changes} from={from} to={to} /> : <Loading />;
}
