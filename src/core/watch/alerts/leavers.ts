import type { UserStore } from '../../access/users/store.ts';
import type { AuditLog } from '../../base/audit/log.ts';
import { retryOnConflict } from '../../base/concurrency/retry-on-conflict.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import type { DeliveryStore } from '../deliveries/store.ts';
import type { DigestStore, StoredDigest } from '../digests/store.ts';
import { resetChange, resetMemory } from './changes.ts';
import type { AlertStore, StoredAlert } from './store.ts';

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

type Ended = { kind: 'alert'; item: StoredAlert } | { kind: 'digest'; item: StoredDigest };

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
    for (const item of (await alerts.list(tenantId, { ...ALL, maker })).items)
      await this.endOne({ kind: 'alert', item }, by);
    for (const item of (await digests.list(tenantId, { ...ALL, maker })).items)
      await this.endOne({ kind: 'digest', item }, by);
  }

  /** For one that is due, however its maker left. True: it was ended, and must not run. */
  async endIfLeft(due: Ended): Promise<boolean> {
    const { maker } = due.item;
    if (maker === undefined || (await this.parts.users.find(maker))?.isActive) return false;
    await this.endOne(due, null);
    return true;
  }

  private async endOne({ kind, item: { id, tenantId } }: Ended, by: Caller | null): Promise<void> {
    const { deliveries, audit, effects } = this.parts;
    const title = await retryOnConflict(kind, () =>
      kind === 'alert' ? this.endAlert(tenantId, id) : this.endDigest(tenantId, id),
    );
    await deliveries.giveUp(tenantId, { kind, id }, { at: effects.now(), error: GIVEN_UP });
    if (title !== '') await audit.record(by, tenantId, `${kind}.ended`, id, { title, reason: LEFT });
  }

  /** Its title; empty: nothing goes on. Null: it was changed meanwhile. */
  private async endAlert(tenantId: string, id: string): Promise<string | null> {
    const { alerts, effects } = this.parts;
    const stored = await alerts.find(tenantId, id);
    if (!stored?.definition.enabled) return '';
    const at = effects.now();
    const ended = { ...endedOf(stored, at), memory: resetMemory(stored.memory), lastCheck: null };
    const isEnded = await alerts.replace(ended, resetChange(stored, { id: effects.newId(), at }));
    return isEnded ? stored.definition.title : null;
  }

  private async endDigest(tenantId: string, id: string): Promise<string | null> {
    const { digests, effects } = this.parts;
    const stored = await digests.find(tenantId, id);
    if (!stored?.definition.enabled) return '';
    return (await digests.replace(endedOf(stored, effects.now()))) ? stored.definition.title : null;
  }
}

function endedOf<Item extends StoredAlert | StoredDigest>(item: Item, at: number): Item {
  const definition = { ...item.definition, enabled: false, disabledReason: LEFT };
  return { ...item, definition, nextDue: null, updatedAt: at };
}
