import type { CreateAlert } from '../core/watch/alerts/schema.ts';
import type { CreateDigest } from '../core/watch/digests/schema.ts';

/** Without targets: the portal shows them. The first is alerting from its first check. */
export const demoAlerts: CreateAlert[] = [
  {
    title: 'Few conversations are resolved',
    metric: 'resolution_rate',
    condition: { type: 'threshold', operator: 'lt', value: 0.95, clear: 0.96 },
    every: '* * * * *',
  },
  {
    title: 'Conversations are unusual',
    metric: 'conversations',
    condition: { type: 'anomaly' },
  },
];

export function demoDigest(tabId: string): CreateDigest {
  return { title: 'Support every morning', tabId, every: '0 8 * * *' };
}
