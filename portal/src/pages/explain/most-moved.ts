import { useQueries, useQuery } from '@tanstack/react-query';
import { AGGREGATE } from '../../api/answers.ts';
import { api } from '../../api/client.ts';
import { useFoundEvents } from '../../api/events.ts';
import { usableFirst } from '../../api/metric-reference.ts';
import { metricsQuery } from '../../api/metrics.ts';
import type { DefaultQuestion } from '../../question/question-page.tsx';
import { useAgent } from '../../shell/remembered.ts';
import { commonest } from '../explore/state.ts';
import { DEFAULT_RANGE, mostMoved } from './state.ts';

/** The metrics that are compared; approved ones come first. */
const MAX_COMPARED = 12;

/** On the metric that moved most between the last two weeks; without metrics, on the commonest event. */
export function useMostMoved(): DefaultQuestion {
  const agent = useAgent();
  const events = useFoundEvents(agent);
  const metrics = useQuery(metricsQuery());
  const compared = usableFirst(metrics.data?.metrics ?? []).slice(0, MAX_COMPARED);
  const asked = { ...DEFAULT_RANGE, agentId: agent ?? '*', compareTo: 'previous_period' as const };
  const answers = useQueries({
    queries: compared.map(({ name }) =>
      api.queryOptions('post', AGGREGATE, { body: { ...asked, metric: name } }, { retry: false }),
    ),
  });
  const error = events.error ?? metrics.error;
  const refetch = () => Promise.all([events.refetch(), metrics.refetch()]);
  if (!events.data || !metrics.data || answers.some(({ isPending }) => isPending))
    return { text: undefined, error, refetch };
  const metric = mostMoved(compared.map(({ name }, index) => ({ name, ...answers[index]?.data })));
  const eventName = commonest(events.data.eventNames);
  const subject = metric === undefined ? { eventName, aggregation: 'count' } : { metric };
  const text = (metric ?? eventName) === undefined ? null : JSON.stringify({ ...subject, ...DEFAULT_RANGE });
  return { text, error, refetch };
}
