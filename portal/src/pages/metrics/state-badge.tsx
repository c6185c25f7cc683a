import type { Metric } from '../../api/metrics.ts';
import { t } from '../../language/index.ts';
import { METRIC_STATES } from '../../question/words/words.ts';
import { Badge } from '../../ui/item-list.tsx';

const TONES = { approved: 'good', proposed: 'warning', deprecated: 'muted' } as const;

export function StateBadge({ state }: { state: Metric['state'] }) {
  return <Badge tone={TONES[state]}>{METRIC_STATES[state]}</Badge>;
}

/** The state of the version that the name stands for, and the newest version if it waits for approval. */
export function StateBadges({ metric }: { metric: Metric }) {
  const { state, latestVersion, approvedVersion } = metric;
  return (
    <>
      <StateBadge state={state} />
      {approvedVersion !== null && latestVersion > approvedVersion && (
        <Badge tone="warning">{t('version {version} proposed', { version: latestVersion })}</Badge>
      )}
    </>
  );
}
