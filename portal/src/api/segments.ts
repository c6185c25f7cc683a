import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isAnswer } from './answers.ts';
import { api } from './client.ts';
import type { Schemas } from './schemas.ts';
import { invalidate, useSession } from './session.ts';

export type Segment = Schemas['Segment'];

export const SEGMENTS = '/api/v1/runtime/observability/segments';
/** The API's limit: a tenant has no more. */
const MAX_SEGMENTS = 1_000;

/** All segments by name, or those whose name or title has the search. */
export function segmentsQuery(search?: string) {
  const query = { limit: MAX_SEGMENTS, ...(search !== undefined && { search }) };
  return api.queryOptions('get', SEGMENTS, { params: { query } }, { placeholderData: keepPreviousData });
}

/** The segments that questions can use; undefined until they are known. */
export function useKnownSegments(): readonly Segment[] | undefined {
  const { can } = useSession();
  return useQuery({ ...segmentsQuery(), enabled: can('metrics:read') }).data?.segments;
}

/** For a form, which begins with what is stored, not with what an earlier visit has read. */
export function segmentQuery(name: string) {
  return api.queryOptions('get', `${SEGMENTS}/{name}`, { params: { path: { name } } }, { gcTime: 0 });
}

/** After a change: lists, and answers to questions. */
export const invalidateSegments = () => invalidate((path) => path.startsWith(SEGMENTS) || isAnswer(path));
