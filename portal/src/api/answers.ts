import type { paths } from '../../../clients/typescript/api.d.ts';

const ANSWERS: readonly string[] = [
  '/api/v1/portal/aggregate',
  '/api/v1/runtime/observability/explain',
  '/api/v1/runtime/v1/observability/events/query',
] satisfies (keyof paths)[];

/** True for the paths that answer questions, which may name metrics and segments. */
export function isAnswer(path: string): boolean {
  return ANSWERS.includes(path);
}
