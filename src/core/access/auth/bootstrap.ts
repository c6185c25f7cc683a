import type { MaintenanceLease } from '../../base/concurrency/maintenance.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { RuntimeError } from '../../base/shared/errors.ts';
import type { UserStore } from '../users/store.ts';
import type { KeyService } from './keys.ts';
import { SCRYPT } from './password-hash.ts';
import type { CreateKey, IssuedKey } from './schema.ts';
import { newPassword } from './secrets.ts';
import type { InstallationStore } from './store.ts';
import type { TenantService } from './tenants.ts';

interface FirstRunParts {
  tenants: TenantService;
  keys: KeyService;
  userStore: UserStore;
  installation: InstallationStore;
  maintenance: MaintenanceLease;
  effects: Effects;
}

export interface FirstRun {
  admin: { email: string; password: string };
  fullKey: IssuedKey;
  readKey: IssuedKey;
}

export const DEFAULT_TENANT = 'default';
export const ADMIN_EMAIL = 'admin@localhost';

export async function ensureDefaultTenant(tenants: TenantService): Promise<void> {
  if ((await tenants.list(1)).length > 0) return;
  await tenants.create({ name: DEFAULT_TENANT }).catch((error: unknown) => {
    // Another process may have created it at the same moment.
    if (!(error instanceof RuntimeError && error.code === 'conflict')) throw error;
  });
}

/** Longer than it takes. */
const FIRST_RUN_MS = 60_000;

const FULL_KEY = { label: 'first run: full access', scopes: ['*'], expiresAt: null } satisfies CreateKey;
const READ_KEY = {
  label: 'first run: MCP read',
  scopes: ['mcp:read', 'knowledge:read'],
  expiresAt: null,
} satisfies CreateKey;

/**
 * Runs once, or again if a start ended before `show` returned. Of several processes that start at
 * once, one runs it.
 */
export async function firstRun(
  { tenants, keys, userStore, installation, maintenance, effects }: FirstRunParts,
  show: (made: FirstRun) => void | Promise<void>,
): Promise<void> {
  if (await installation.has('first_run')) return;
  if (!(await maintenance.held('first run', FIRST_RUN_MS))) return;
  // Another process may have ended it.
  if (await installation.has('first_run')) return;
  const tenant = await tenants.get(DEFAULT_TENANT);
  await revokeUnshown(keys, tenant.id);
  const now = effects.now();
  const password = newPassword();
  await userStore.put({
    id: effects.newId(),
    tenantId: tenant.id,
    email: ADMIN_EMAIL,
    name: 'Administrator',
    phone: null,
    avatarUrl: null,
    role: 'SUPER_ADMIN',
    isActive: true,
    passwordHash: await SCRYPT.hash(password),
    sessionVersion: now,
    lastLoginAt: null,
    language: null,
    metadata: {},
    createdAt: now,
    updatedAt: now,
  });
  await show({
    admin: { email: ADMIN_EMAIL, password },
    fullKey: await keys.create(tenant.id, FULL_KEY, null),
    readKey: await keys.create(tenant.id, READ_KEY, null),
  });
  await installation.claim('first_run', effects.now());
}

async function revokeUnshown(keys: KeyService, tenantId: string): Promise<void> {
  const labels = [FULL_KEY.label, READ_KEY.label];
  for (const key of await keys.listAll(tenantId)) {
    const isOfFirstRun = key.createdBy === null && labels.includes(key.label);
    if (isOfFirstRun && key.lastUsedAt === null && key.revokedAt === null) await keys.revoke(key.id, null);
  }
}
