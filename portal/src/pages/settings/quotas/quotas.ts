import { client } from '../../../api/client.ts';
import { invalidate } from '../../../api/session.ts';
import { type Versioned, versionedAnswerOf } from '../../../api/versions.ts';
import type { Limits, Owner } from './state.ts';

export const QUOTAS = '/api/v1/portal/quotas';
export const KEY_QUOTAS = '/api/v1/portal/keys/{id}/quotas';
export const HISTORY = '/api/v1/portal/usage/history';

export async function readLimits(owner: Owner): Promise<Versioned<Limits>> {
  if (owner.kind === 'key') {
    const { data, etag } = await versionedAnswerOf(client.GET(KEY_QUOTAS, { params: { path: { id: owner.id } } }));
    return { data: data.limits, etag };
  }
  const { data, etag } = await versionedAnswerOf(client.GET(QUOTAS, { params: { query: { limit: 1 } } }));
  return { data: data.tenant.limits, etag };
}

export async function sendLimits(owner: Owner, body: object, etag: string): Promise<void> {
  const header = { 'if-match': etag };
  if (owner.kind === 'tenant') await versionedAnswerOf(client.PATCH(QUOTAS, { params: { header }, body }));
  else await versionedAnswerOf(client.PATCH(KEY_QUOTAS, { params: { path: { id: owner.id }, header }, body }));
}

export function quotasChanged(): Promise<void> {
  return invalidate((path) => path === QUOTAS || path === KEY_QUOTAS);
}
