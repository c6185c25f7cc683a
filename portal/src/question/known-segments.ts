import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useSession } from '../api/use-session.ts';

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
