import { t } from '../../language/index.ts';
import { Badge } from '../../ui/item-list.tsx';
import type { Alert, AlertState } from './alerts.ts';
import { STATES } from './words.ts';

export function StateBadge({ state }: { state: AlertState }) {
  const { label, tone } = STATES.find(({ value }) => value === state)!;
  return <Badge tone={tone}>{label}</Badge>;
}

/** The state, and that it is switched off: then it is the last one. */
export function StateBadges({ alert: { state, enabled } }: { alert: Alert }) {
  return enabled ? <StateBadge state={state} /> : <Badge tone="muted">{t('Switched off')}</Badge>;
}
