export const AGGREGATE = '/api/v1/portal/aggregate';
export const EXPLAIN = '/api/v1/runtime/observability/explain';
export const QUERY_EVENTS = '/api/v1/runtime/v1/observability/events/query';

const ANSWERS: readonly string[] = [AGGREGATE, EXPLAIN, QUERY_EVENTS];

/** True for the paths that answer questions, which may name metrics and segments. */
export function isAnswer(path: string): boolean {
  return ANSWERS.includes(path);
}
