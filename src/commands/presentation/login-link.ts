import type { Runtime } from '../../app/runtime.ts';
import { ADMIN_EMAIL, DEFAULT_TENANT } from '../../core/access/auth/bootstrap.ts';

/**
 * A link that logs the first administrator in once. The secret is in the fragment, which browsers
 * do not send.
 */
export async function adminLoginLink(
  { tenants, userStore, logins }: Pick<Runtime, 'tenants' | 'userStore' | 'logins'>,
  url: string,
  lifetimeMs: number,
): Promise<string> {
  const tenant = await tenants.get(DEFAULT_TENANT);
  const [admin] = await userStore.findByEmail(ADMIN_EMAIL, tenant.id);
  if (!admin) throw new Error(`There is no user ${ADMIN_EMAIL}.`);
  return `${url}/login#link=${await logins.issueLink(admin, lifetimeMs)}`;
}
