import type { AuditLog } from '../../base/audit/log.ts';
import { administers, type Caller, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { forbidden, notFound } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { PageQuery } from '../auth/schema.ts';
import { grantDetails, shownClient } from './clients.ts';
import type { ShownGrant } from './schema.ts';
import type { GrantOfUser, OAuthStore, StoredGrant } from './store.ts';

interface GrantParts {
  store: OAuthStore;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * The grants that people gave applications. They see and end their own, administrators all of the
 * tenant.
 */
export class GrantService {
  private readonly parts: GrantParts;

  constructor(parts: GrantParts) {
    this.parts = parts;
  }

  /** Newest first; without ended and unused ones. */
  async list(caller: Caller, query: PageQuery): Promise<Page<ShownGrant>> {
    requirePortal(caller, 'user');
    return this.page(caller.tenantId, administers(caller.role) ? null : caller.userId, query);
  }

  /** For the operator; null: of every tenant. */
  async listAll(tenantId: string | null, query: PageQuery): Promise<Page<ShownGrant>> {
    return this.page(tenantId, null, query);
  }

  /** Its tokens are void immediately. Throws `not_found`, and `forbidden` for another user's. */
  async end(id: string, by: Caller | null): Promise<void> {
    if (by) requirePortal(by, 'user');
    const { store, audit, effects } = this.parts;
    const grant = await store.findGrant(id);
    if (!grant) throw notFound(`There is no grant with the id ${JSON.stringify(id)}.`);
    if (by) requireOwn(by, grant);
    if (!(await store.endGrant(id, effects.now()))) return;
    await audit.record(by, grant.tenantId, 'grant.ended', id, grantDetails(grant));
  }

  /** Removes what expired long ago, and clients that registered themselves and are not used. */
  async prune(): Promise<void> {
    const now = this.parts.effects.now();
    await this.parts.store.prune({
      records: now,
      grants: now - 30 * DAY_MS,
      unusedGrants: now - HOUR_MS,
      unusedClients: now - DAY_MS,
      idleClients: now - 90 * DAY_MS,
    });
  }

  private async page(tenantId: string | null, userId: string | null, query: PageQuery): Promise<Page<ShownGrant>> {
    const { store, effects } = this.parts;
    const { items, total } = await store.grants({ tenantId, userId, now: effects.now() }, query);
    return { items: items.map(shownGrant), total };
  }
}

function requireOwn(by: Caller, { tenantId, userId }: StoredGrant): void {
  if (tenantId !== by.tenantId) throw forbidden('This grant belongs to another tenant.');
  if (administers(by.role) || userId === by.userId) return;
  throw forbidden("This grant is another user's; an administrator of the tenant may end it.");
}

function shownGrant(grant: GrantOfUser): ShownGrant {
  const { id, userId, email, identityProvider, resource, scopes, limits, createdAt, expiresAt, lastUsedAt } = grant;
  return {
    id,
    user: { id: userId, email },
    client: shownClient(grant),
    identityProvider,
    resource,
    scopes,
    limits,
    createdAt: formatUtc(createdAt),
    expiresAt: formatUtc(expiresAt),
    lastUsedAt: lastUsedAt === null ? null : formatUtc(lastUsedAt),
  };
}
