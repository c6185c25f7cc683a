import { hashSecret, newLinkSecret } from '../../../access/auth/secrets.ts';
import type { UserStore } from '../../../access/users/store.ts';
import { type AuditLog, actorOf } from '../../../base/audit/log.ts';
import { readsFewerEvents, readsWithin } from '../../../base/filters/limits.ts';
import { type Caller, requireScope } from '../../../base/shared/caller.ts';
import type { Effects } from '../../../base/shared/effects.ts';
import { invalid, notFound, tooMany } from '../../../base/shared/errors.ts';
import { formatUtc } from '../../../base/time/time.ts';
import { missing } from '../missing.ts';
import type { DashboardService } from '../service.ts';
import type { StoredTab } from '../store.ts';
import { mayStillShare } from './makers.ts';
import type { ShareTab, ShownLink } from './schema.ts';
import type { DashboardLinkStore, StoredLink } from './store.ts';

export interface DashboardLinkParts {
  store: DashboardLinkStore;
  dashboards: Pick<DashboardService, 'storeOf'>;
  users: Pick<UserStore, 'find'>;
  /** Origins whose pages may frame a shared tab. */
  frameOrigins: readonly string[];
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

const DEFAULT_MS = 30 * 86_400_000;
/** The most links of a tenant, expired ones included. */
const MAX_LINKS = 1_000;

/** Secret links to tabs, for those who may change dashboards. */
export class DashboardLinkService {
  private readonly parts: DashboardLinkParts;

  constructor(parts: DashboardLinkParts) {
    this.parts = parts;
  }

  get frameOrigins(): readonly string[] {
    return this.parts.frameOrigins;
  }

  /** The secret is in this answer alone. The link is held to the limits of the caller. */
  async create(caller: Caller, tabId: string, { expiresAt }: ShareTab): Promise<{ secret: string; link: ShownLink }> {
    const tab = await this.tab(caller, tabId);
    // A link shows no more than its maker may read.
    requireScope(caller, 'dashboards:read');
    const { store, audit, effects } = this.parts;
    const now = effects.now();
    if (expiresAt != null && expiresAt <= now) throw invalid('expiresAt: lies in the past');
    const { tenantId, userId: maker } = caller;
    if ((await store.count(tenantId)) >= MAX_LINKS) throw tooMany('links to dashboards', MAX_LINKS);
    const secret = newLinkSecret();
    const link: StoredLink = {
      ...{ id: effects.newId(), tenantId, tabId: tab.id, secretHash: hashSecret(secret) },
      limits: readsFewerEvents(caller) ? (caller.limits ?? null) : null,
      ...{ createdAt: now, createdBy: actorOf(caller).label, maker, lastUsedAt: null },
      expiresAt: expiresAt === undefined ? now + DEFAULT_MS : expiresAt,
    };
    if ((await store.add(link)) === 'unknown tab') throw notFound('The tab was deleted in the meantime.');
    const shown = await this.shown(link);
    await audit.record(caller, tenantId, 'tab.shared', tab.id, { link: link.id, expiresAt: shown.expiresAt });
    return { secret, link: shown };
  }

  /** Newest first. A caller with limits sees only links within them. */
  async list(caller: Caller, tabId: string): Promise<ShownLink[]> {
    const links = await this.links(caller, tabId);
    return Promise.all(links.map((link) => this.shown(link)));
  }

  async revoke(caller: Caller, tabId: string, id: string): Promise<void> {
    const known = (await this.links(caller, tabId)).some((link) => link.id === id);
    const { store, audit } = this.parts;
    const { tenantId } = caller;
    if (!known || !(await store.remove(tenantId, id))) throw notFound('There is no such link to this tab.');
    await audit.record(caller, tenantId, 'tab.link_revoked', tabId, { link: id });
  }

  private async tab(caller: Caller, id: string): Promise<StoredTab> {
    requireScope(caller, 'dashboards:write');
    const store = this.parts.dashboards.storeOf(caller);
    const tab = await store.findTab(caller.tenantId, id);
    if (!tab) throw await missing(store, caller, 'tab', id);
    return tab;
  }

  private async links(caller: Caller, tabId: string): Promise<StoredLink[]> {
    const { id } = await this.tab(caller, tabId);
    const links = await this.parts.store.list(caller.tenantId, id);
    return links.filter(({ limits }) => !readsFewerEvents(caller) || readsWithin(limits ?? [], caller));
  }

  private async shown(link: StoredLink): Promise<ShownLink> {
    const { id, createdAt, createdBy, expiresAt, lastUsedAt } = link;
    const isExpired = expiresAt !== null && expiresAt <= this.parts.effects.now();
    return {
      ...{ id, createdAt: formatUtc(createdAt), createdBy },
      expiresAt: expiresAt === null ? null : formatUtc(expiresAt),
      lastUsedAt: lastUsedAt === null ? null : formatUtc(lastUsedAt),
      valid: !isExpired && (await mayStillShare(this.parts.users, link)),
    };
  }
}
