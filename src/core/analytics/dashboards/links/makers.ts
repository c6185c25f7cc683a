import { SCOPES_OF_ROLE } from '../../../access/auth/rights.ts';
import type { UserStore } from '../../../access/users/store.ts';
import { hasScope } from '../../../base/shared/caller.ts';
import type { StoredLink } from './store.ts';

/** Whether the user behind the link could still make it. Links of the operator stay. */
export async function mayStillShare(
  users: Pick<UserStore, 'find'>,
  { maker, tenantId }: Pick<StoredLink, 'maker' | 'tenantId'>,
): Promise<boolean> {
  if (maker === null) return true;
  const user = await users.find(maker);
  if (!user?.isActive || user.tenantId !== tenantId) return false;
  return hasScope({ scopes: SCOPES_OF_ROLE[user.role] }, 'dashboards:write');
}
