import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/schemas.ts';
import { invalidate } from '../../api/session.ts';
import { untilDelivered } from '../../sending/shown.tsx';

export type Digest = Schemas['Digest'];

export const DIGESTS = '/api/v1/runtime/observability/digests';
/** The API's limit: a tenant has no more. */
const MAX_DIGESTS = 200;
/** The API's limit for a digest. */
export const MAX_CARDS = 20;
/** Digests are sent while the page is open. */
const REFRESH_MS = 60_000;

export function digestsQuery() {
  return api.queryOptions(
    'get',
    DIGESTS,
    { params: { query: { limit: MAX_DIGESTS } } },
    { refetchInterval: REFRESH_MS },
  );
}

export function digestQuery(id: string) {
  return api.queryOptions('get', `${DIGESTS}/{id}`, { params: { path: { id } } }, { refetchInterval: REFRESH_MS });
}

export function digestHistoryQuery(id: string) {
  return api.queryOptions(
    'get',
    `${DIGESTS}/{id}/history`,
    { params: { path: { id } } },
    { refetchInterval: ({ state: { data } }) => untilDelivered(data?.deliveries) || REFRESH_MS },
  );
}

export const invalidateDigests = () => invalidate((path) => path.startsWith(DIGESTS));
