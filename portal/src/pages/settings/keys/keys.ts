import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { invalidate } from '../../../api/session.ts';
import { PAGE_SIZE } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import type { asked } from './search.ts';
import type { Key } from './types.ts';

export const KEYS = '/api/v1/portal/keys';

export function keysQuery({ number, state, search, maker, isLeavers }: ReturnType<typeof asked>) {
  const filters = { state, ...(search && { search }), ...(maker && { maker }), ...(isLeavers && { leavers: true }) };
  const query = { ...filters, limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE };
  return api.queryOptions('get', KEYS, { params: { query } }, { placeholderData: keepPreviousData });
}

export const keysChanged = () => invalidate((path) => path === KEYS);

/** The subject of a dialog. */
export type KeyChange =
  | { kind: 'create' }
  | { kind: 'rotate'; key: Key }
  | { kind: 'revoke'; key: Key }
  | { kind: 'revoke-all'; maker: Maker };

export interface Maker {
  id: string;
  name: string;
}

/** The maker in words; null for the operator. */
export function makerOf({ maker }: Key): Maker | null {
  return maker && { id: maker.id, name: maker.name ?? t('a user who is gone') };
}
