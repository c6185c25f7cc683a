import { keepPreviousData } from '@tanstack/react-query';
import { AGGREGATE, QUERY_EVENTS } from '../../api/answers.ts';
import { api, type Schemas } from '../../api/client.ts';

export const DONE = 'runtime.connector_executed';
export const FAILED = 'runtime.connector_failed';
const MAX_FAILURES = 20;
/** Calls are recorded within a second. */
const REFRESH_MS = 10_000;

type Question = Schemas['AggregateEvents'];

/** A question about the runtime's events of calls, of all agents. Without such an event the answer is empty. */
function callsQuery(question: Question) {
  const body: Question = { agentId: '*', dateFrom: '-24h', aggregation: 'count', ...question };
  return api.queryOptions(
    'post',
    AGGREGATE,
    { body },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
}

/** How many calls of each connector were done, or failed, in the last 24 hours. */
export const callsByConnector = (eventName: string, limit: number) =>
  callsQuery({ eventName, group_by: 'connector', limit });

const ofConnector = (slug: string) => [{ propertyKey: 'connector', operator: 'eq' as const, value: slug }];

type Measure = Pick<Question, 'aggregation' | 'propertyKey' | 'dateGrouping' | 'dateFrom'>;

const NO_MOCK = { propertyKey: 'mocked', operator: 'eq' as const, value: false };

/** Calls of the API: mocks are none. */
export const callsOf = (slug: string, eventName: string, measure: Measure) =>
  callsQuery({ eventName, filters: [...ofConnector(slug), NO_MOCK], ...measure });

export function failuresOf(slug: string, dateFrom: string) {
  const body = {
    ...{ eventName: FAILED, agentId: '*', filters: ofConnector(slug), dateFrom },
    ...{ sortBy: 'timestamp', limit: MAX_FAILURES },
  };
  return api.queryOptions('post', QUERY_EVENTS, { body }, { refetchInterval: REFRESH_MS });
}
