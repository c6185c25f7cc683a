import type { SealingKeys } from '../sealing/sealing.ts';
import type { Effects } from '../shared/effects.ts';
import { notFound } from '../shared/errors.ts';
import { oneLine } from '../shared/text.ts';
import { type Message, storedMessage } from './message.ts';
import { deliveryPlace, sealTarget } from './sealing.ts';
import type { Delivery, DeliverySource, DeliveryStore, NewDelivery } from './store.ts';
import { placeOf, type Target } from './targets.ts';

const MAX_TITLE = 200;

export interface DeliveriesParts {
  store: Pick<DeliveryStore, 'add' | 'list' | 'listDead'>;
  sealingKeys: SealingKeys;
  effects: Effects;
  /** Tells the dispatcher that there are new deliveries. */
  wake(): void;
}

/** What alerts and digests send with. Their services check the caller's rights. */
export class Deliveries {
  private readonly parts: DeliveriesParts;

  constructor(parts: DeliveriesParts) {
    this.parts = parts;
  }

  /**
   * One delivery for each target, sealed. A store that inserts them in its own transaction (`insertDeliveries`) prepares
   * them before that, and calls `wake` after it. Throws `unprocessable` for a message that is too large, and `unavailable`
   * when nothing can be sealed.
   */
  async prepare(
    tenantId: string,
    source: DeliverySource,
    { targets, message }: { targets: readonly Target[]; message: Message },
  ): Promise<NewDelivery[]> {
    const { sealingKeys, effects } = this.parts;
    if (targets.length === 0) return [];
    const key = await sealingKeys.active();
    const body = storedMessage(message);
    const createdAt = effects.now();
    return targets.map((target) => {
      const id = effects.newId();
      return {
        id,
        source,
        type: message.type,
        title: oneLine(message.title).slice(0, MAX_TITLE).toWellFormed(),
        targetType: target.type,
        place: placeOf(target),
        sealedTarget: sealTarget(key, target, deliveryPlace(tenantId, id)),
        body,
        createdAt,
      };
    });
  }

  /** Durable when it resolves; sent from then on. Throws `not_found` for a tenant that was removed. */
  async add(tenantId: string, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const added = await this.parts.store.add(tenantId, deliveries);
    if (added === 'unknown tenant') throw notFound('The tenant is not there any more.');
    this.wake();
  }

  /** After deliveries were inserted in another store's transaction. */
  wake(): void {
    this.parts.wake();
  }

  /** Newest first. */
  list(tenantId: string, source: DeliverySource, limit: number): Promise<Delivery[]> {
    return this.parts.store.list(tenantId, source, limit);
  }

  /** Dead letters, newest first. */
  listDead(tenantId: string, limit: number): Promise<Delivery[]> {
    return this.parts.store.listDead(tenantId, limit);
  }
}
