import { answerOf, api, client } from '../../../api/client.ts';
import { invalidateMetrics, METRICS, type Metric } from '../../../api/metrics.ts';
import { ConfirmDialog, pageTitle } from '../../../ui/dialog.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
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
  const deprecate = async () => {
    await answerOf(client.DELETE(`${METRICS}/{name}`, { params: { path: { name } } }));
    await invalidateMetrics();
    announce(`The metric “${name}” is deprecated`);
  };
  return (
    <ConfirmDialog
      title="Deprecate this metric?"
      description={`No search finds “${name}” any more. Cards and questions that name it keep their answers, which say that it is deprecated. To bring it back, approve a version again.`}
      act="Deprecate"
      onAct={deprecate}
      onClose={onClose}
      focusAfter={pageTitle}
    />
  );
}

function Approve({ metric, version, onClose }: { metric: Metric; version: number; onClose(): void }) {
  const { name, approvedVersion } = metric;
  const approve = async () => {
    await answerOf(client.POST(`${METRICS}/{name}/approve`, { params: { path: { name } }, body: { version } }));
    await invalidateMetrics();
    announce(`Version ${version} of “${name}” is approved`);
  };
  const then = `Questions that name “${name}” then get version ${version}, on every card and for every agent.`;
  return (
    <ConfirmDialog
      title={`Approve version ${version}?`}
      description={approvedVersion === null ? then : `${then} Version ${approvedVersion} becomes deprecated.`}
      act={`Approve version ${version}`}
      look="primary"
      onAct={approve}
      onClose={onClose}
      focusAfter={pageTitle}
    >
      {approvedVersion !== null && <Difference name={name} from={approvedVersion} to={version} />}
    </ConfirmDialog>
  );
}

/** The members that approving changes. */
function Difference({ name, from, to }: { name: string; from: number; to: number }) {
  const { data, error } = api.useQuery('get', `${METRICS}/{name}/diff`, {
    params: { path: { name }, query: { from, to } },
  });
  if (error) return <ErrorNotice error={error} />;
  return data ? <Changes changes={data.changes} from={from} to={to} /> : <Loading what="the difference" />;
}
