import type { UserStore } from '../../access/users/store.ts';
import type { AuditLog } from '../../base/audit/log.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { resetAlert } from '../alerts/changes.ts';
import type { AlertStore } from '../alerts/store.ts';
import type { DeliveryStore } from '../deliveries/store.ts';
import type { DigestStore } from '../digests/store.ts';
import { retryOnConflict } from './scheduled-service.ts';
import type { Scheduled, ScheduledKind } from './store.ts';

export interface LeaverParts {
  alerts: Pick<AlertStore, 'find' | 'list' | 'replace'>;
  digests: Pick<DigestStore, 'find' | 'list' | 'replace'>;
  deliveries: Pick<DeliveryStore, 'giveUp'>;
  users: Pick<UserStore, 'find'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

const LEFT = 'The user who made it was deactivated. Whoever switches it on takes it over.';
const GIVEN_UP = 'It was not sent: the user who made it was deactivated.';
/** More than a tenant may have. */
const ALL = { limit: 10_000, offset: 0 };

/**
 * Ends what would go on after a user was deactivated: their alerts and digests, and the messages of
 * these that wait.
 */
export class Leavers {
  private readonly parts: LeaverParts;

  constructor(parts: LeaverParts) {
    this.parts = parts;
  }

  async end({ id: maker, tenantId }: { id: string; tenantId: string }, by: Caller | null): Promise<void> {
    const { alerts, digests } = this.parts;
    for (const { id } of (await alerts.list(tenantId, { ...ALL, maker })).items) {
      await this.endOne('alert', { id, tenantId }, by);
    }
    for (const { id } of (await digests.list(tenantId, { ...ALL, maker })).items) {
      await this.endOne('digest', { id, tenantId }, by);
    }
  }

  /** For an item that is due, however its maker left. True: it was ended, and must not run. */
  async endIfLeft(kind: ScheduledKind, { id, tenantId, maker }: Scheduled): Promise<boolean> {
    if (maker === undefined || (await this.parts.users.find(maker))?.isActive) return false;
    await this.endOne(kind, { id, tenantId }, null);
    return true;
  }

  private async endOne(
    kind: ScheduledKind,
    { id, tenantId }: Pick<Scheduled, 'id' | 'tenantId'>,
    by: Caller | null,
  ): Promise<void> {
    const { alerts, digests, deliveries, audit, effects } = this.parts;
    const title = await retryOnConflict(kind, () => {
      const at = effects.now();
      return kind === 'alert'
        ? switchOff(alerts, { id, tenantId, at }, (alert) => resetAlert(alert, { id: effects.newId(), at }))
        : switchOff(digests, { id, tenantId, at }, () => ({ state: {}, change: null }));
    });
    await deliveries.giveUp(tenantId, { kind, id }, { at: effects.now(), error: GIVEN_UP });
    if (title !== '') await audit.record(by, tenantId, `${kind}.ended`, id, { title, reason: LEFT });
  }
}

/** Returns its title; empty: it was off or removed. Null: it was changed at the same time. */
async function switchOff<Item extends Scheduled, Change>(
  store: {
    find(tenantId: string, id: string): Promise<Item | null>;
    replace(item: Item, change: Change | null): Promise<boolean>;
  },
  { id, tenantId, at }: { id: string; tenantId: string; at: number },
  reset: (item: Item) => { state: Partial<Item>; change: Change | null },
): Promise<string | null> {
  const stored = await store.find(tenantId, id);
  if (!stored?.definition.enabled) return '';
  const { state, change } = reset(stored);
  const definition = { ...stored.definition, enabled: false, disabledReason: LEFT };
  const isEnded = await store.replace({ ...stored, definition, nextDue: null, updatedAt: at, ...state }, change);
  return isEnded ? stored.definition.title : null;
}
