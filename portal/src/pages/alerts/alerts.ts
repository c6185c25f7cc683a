import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/schemas.ts';
import { invalidate } from '../../api/session.ts';
import { untilDelivered } from '../../sending/shown.tsx';

export type Alert = Schemas['Alert'];
export type AlertState = Alert['state'];

export const ALERTS = '/api/v1/runtime/observability/alerts';
/** The API's limit for a page. */
export const MAX_SHOWN = 500;
const MAX_CHANGES = 50;
/** Alerts are checked while the page is open. */
const REFRESH_MS = 60_000;

export function alertsQuery(state: AlertState | undefined) {
  const query = { limit: MAX_SHOWN, ...(state !== undefined && { state }) };
  return api.queryOptions(
    'get',
    ALERTS,
    { params: { query } },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
}

export function alertQuery(id: string) {
  return api.queryOptions('get', `${ALERTS}/{id}`, { params: { path: { id } } }, { refetchInterval: REFRESH_MS });
}

export function historyQuery(id: string) {
  return api.queryOptions(
    'get',
    `${ALERTS}/{id}/history`,
    { params: { path: { id }, query: { limit: MAX_CHANGES } } },
    { refetchInterval: ({ state: { data } }) => untilDelivered(data?.deliveries) || REFRESH_MS },
  );
}

export const invalidateAlerts = () => invalidate((path) => path.startsWith(ALERTS));
