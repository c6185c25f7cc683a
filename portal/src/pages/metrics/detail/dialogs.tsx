import { answerOf, api, client } from '../../../api/client.ts';
import { invalidateMetrics, METRICS, type Metric } from '../../../api/metrics.ts';
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
      title="Deprecate this metric?"
      description={`No search finds “${name}” any more. Cards and questions that name it keep their answers, which say that it is deprecated. To bring it back, approve a version again.`}
      act="Deprecate"
      onAct={() => answerOf(client.DELETE(`${METRICS}/{name}`, { params: { path: { name } } }))}
      invalidate={invalidateMetrics}
      done={`The metric “${name}” is deprecated`}
      onClose={onClose}
    />
  );
}

function Approve({ metric, version, onClose }: { metric: Metric; version: number; onClose(): void }) {
  const { name, approvedVersion } = metric;
  const then = `Questions that name “${name}” then get version ${version}, on every card and for every agent.`;
  return (
    <ActDialog
      title={`Approve version ${version}?`}
      description={approvedVersion === null ? then : `${then} Version ${approvedVersion} becomes deprecated.`}
      act={`Approve version ${version}`}
      look="primary"
      onAct={() =>
        answerOf(client.POST(`${METRICS}/{name}/approve`, { params: { path: { name } }, body: { version } }))
      }
      invalidate={invalidateMetrics}
      done={`Version ${version} of “${name}” is approved`}
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
