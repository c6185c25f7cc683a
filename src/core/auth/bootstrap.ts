import type { Effects } from '../effects.ts';
import { RuntimeError } from '../errors.ts';
import type { UserStore } from '../users/store.ts';
import type { IssuedKey } from './schema.ts';
import { hashPassword, newPassword } from './secrets.ts';
import { type AuthService, DEFAULT_AGENT } from './service.ts';
import type { InstallationStore } from './store.ts';

/** What the first start made, to be shown once. */
export interface FirstRun {
  admin: { email: string; password: string };
  fullKey: IssuedKey;
  readKey: IssuedKey;
}

export const DEFAULT_TENANT = 'default';
const ADMIN_EMAIL = 'admin@localhost';

/** The tenant and the agent that every installation begins with. */
export async function ensureDefaultTenant(auth: AuthService): Promise<void> {
  const tenants = await auth.listTenants();
  if (tenants.length > 0) return;
  await auth.createTenant({ name: DEFAULT_TENANT }).catch((error: unknown) => {
    // Another process that starts at the same moment may have been first.
    if (!(error instanceof RuntimeError && error.code === 'conflict')) throw error;
  });
}

/**
 * Makes the admin user and the first two keys, once. It counts as done when they have been shown: a start that dies
 * before is repeated by the next. Only the owner of the data directory may call it.
 */
export async function firstRun(
  auth: AuthService,
  stores: { userStore: UserStore; installation: InstallationStore },
  effects: Effects,
  show: (made: FirstRun) => void,
): Promise<void> {
  if (await stores.installation.has('first_run')) return;
  const tenant = await auth.tenant(DEFAULT_TENANT);
  const now = effects.now();
  const password = newPassword();
  await stores.userStore.put({
    id: effects.newId(),
    tenantId: tenant.id,
    email: ADMIN_EMAIL,
    name: 'Administrator',
    phone: null,
    avatarUrl: null,
    role: 'SUPER_ADMIN',
    isActive: true,
    passwordHash: await hashPassword(password),
    sessionVersion: now,
    lastLoginAt: null,
    metadata: {},
    createdAt: now,
    updatedAt: now,
  });
  const agentId = DEFAULT_AGENT;
  const expiresAt = null;
  show({
    admin: { email: ADMIN_EMAIL, password },
    fullKey: await auth.createKey(
      tenant.id,
      { agentId, label: 'first run: full access', scopes: ['*'], expiresAt },
      null,
    ),
    readKey: await auth.createKey(
      tenant.id,
      { agentId, label: 'first run: MCP read', scopes: ['mcp:read'], expiresAt },
      null,
    ),
  });
  await stores.installation.claim('first_run', effects.now());
}
