import { eventOf } from '../../api/metric-reference.ts';
import { useKnownMetric } from '../../api/metrics.ts';
import { asksMetric, type CardForm } from './state.ts';

/** The event whose properties suit filters and groups: of a metric, the first that it counts. */
export function useEventOfCard({ cardType, members }: CardForm): string {
  const isMetric = asksMetric(cardType, members);
  const metric = useKnownMetric(isMetric ? members.metric : '');
  if (isMetric) return metric ? eventOf(metric) : '';
  return members.eventName || (members.steps[0]?.eventName ?? '');
}
