import { type AuditLog, actorOf } from '../../../base/audit/log.ts';
import { requireAllEvents } from '../../../base/filters/limits.ts';
import { agentToRead } from '../../../base/shared/agent.ts';
import { type Caller, requireScope } from '../../../base/shared/caller.ts';
import type { Effects } from '../../../base/shared/effects.ts';
import { conflict, notFound, type RuntimeError } from '../../../base/shared/errors.ts';
import type { Page } from '../../../base/shared/paging.ts';
import { formatUtc } from '../../../base/time/time.ts';
import type { DefinitionBudget } from '../../../limits/quotas/definition-budget.ts';
import { MAX_CARDS, tooManyCards } from '../service.ts';
import type { DashboardStore } from '../store.ts';
import type { ChangesQuery, DashboardChange } from './schema.ts';
import type { DashboardChangeStore, StoredDashboardChange } from './store.ts';

export const CHANGES_KEPT_DAYS = 30;
const KEPT_MS = CHANGES_KEPT_DAYS * 86_400_000;

export interface DashboardChangeParts {
  store: DashboardChangeStore;
  dashboards: Pick<DashboardStore, 'countCards' | 'findCard'>;
  definitions: DefinitionBudget;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

/** Lists and undoes the changes that agents made to dashboards. */
export class DashboardChanges {
  private readonly parts: DashboardChangeParts;

  constructor(parts: DashboardChangeParts) {
    this.parts = parts;
  }

  /** Newest first. */
  async list(caller: Caller, { agentId, ...asked }: ChangesQuery): Promise<Page<DashboardChange>> {
    requireScope(caller, 'dashboards:read');
    requireAllEvents(caller, 'all dashboards of the tenant');
    const { store, effects } = this.parts;
    const of = { agentId: agentToRead(caller, agentId), since: effects.now() - KEPT_MS };
    const { items, total } = await store.list(caller.tenantId, { ...asked, ...of });
    return { items: items.map(shown), total };
  }

  /**
   * Puts back what was before the change, a deleted card by its id. Throws `conflict` if
   * the card or tab has changed since, and `unprocessable` if the former one does not fit any more.
   */
  async undo(caller: Caller, id: string): Promise<DashboardChange> {
    requireScope(caller, 'dashboards:write');
    requireAllEvents(caller, 'all dashboards of the tenant');
    const { store, dashboards, definitions, audit, effects } = this.parts;
    const { tenantId } = caller;
    const found = await store.find(tenantId, id);
    if (!found) throw unknownChange(id);
    const { change, former } = found;
    if (change.action === 'deleted' && (await dashboards.countCards(tenantId, change.agentId)) >= MAX_CARDS) {
      throw tooManyCards();
    }
    const present = await dashboards.findCard(tenantId, change.itemId);
    const sizes = { before: present?.config ?? null, after: former && 'config' in former ? former.config : null };
    const undone = { at: effects.now(), by: actorOf(caller).label };
    const result = await definitions.within(tenantId, sizes, () => store.undo(tenantId, id, undone));
    if (result === null) throw unknownChange(id);
    if (result === 'not current') throw notCurrent(change);
    if (result === 'conflict') throw conflict(`Another ${change.kind} has taken its place. Change or delete that one.`);
    await audit.record(caller, tenantId, 'dashboard_change.undone', change.itemId);
    return shown(result);
  }

  async prune(): Promise<void> {
    await this.parts.store.prune(this.parts.effects.now() - KEPT_MS);
  }
}

function shown({ at, undoneAt, ...change }: StoredDashboardChange): DashboardChange {
  return { ...change, at: formatUtc(at), undoneAt: undoneAt === null ? null : formatUtc(undoneAt) };
}

function notCurrent({ kind, state }: StoredDashboardChange): RuntimeError {
  return conflict(
    state === 'undone'
      ? 'This change is undone already.'
      : `The ${kind} was changed or deleted since, so that undoing this would undo that, too. Change it by hand, or undo the later change first.`,
  );
}

function unknownChange(id: string): RuntimeError {
  return notFound(
    `There is no change ${JSON.stringify(id.slice(0, 100))}. Changes are kept for ${CHANGES_KEPT_DAYS} days.`,
  );
}
