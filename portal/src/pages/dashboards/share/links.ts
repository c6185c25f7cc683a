import { answerOf, api, client } from '../../../api/client.ts';
import { TABS } from '../../../api/dashboards.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { invalidate } from '../../../api/session.ts';

const LINKS = `${TABS}/{id}/links` as const;

export type Link = Schemas['DashboardLink'];

export function linksQuery(id: string) {
  return api.queryOptions('get', LINKS, { params: { path: { id } } });
}

export function linksChanged(): Promise<void> {
  return invalidate((path) => path === LINKS);
}

/** `expiresAt`: null is never. */
export function makeLink(id: string, expiresAt: string | null) {
  return answerOf(client.POST(LINKS, { params: { path: { id } }, body: { expiresAt } }));
}

export function revokeLink(id: string, linkId: string) {
  return answerOf(client.DELETE(`${LINKS}/{linkId}`, { params: { path: { id, linkId } } }));
}
