import { Mutex } from '../../base/concurrency/mutex.ts';
import { requireAllEvents } from '../../base/filters/limits.ts';
import { type SealingKeys, UnopenableSecret } from '../../base/sealing/sealing.ts';
import { type Caller, hasScope, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { invalid, RuntimeError, tenantRemoved } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { oneLine } from '../../base/shared/text.ts';
import type { DeliveryLimits } from './limits.ts';
import { type Recipients, WHO_MAY } from './mail.ts';
import { type Message, storedMessage } from './message.ts';
import type { Delivery, DeliveryQuery, DeliverySource, DeliveryStore, NewDelivery } from './store.ts';
import {
  completeTargets,
  deliveryPlace,
  openTargets,
  placeOf,
  type ShownTarget,
  sealTarget,
  sealTargets,
  shownTarget,
  type Target,
  type TargetInput,
  targetsPlace,
} from './targets.ts';

const MAX_TITLE = 200;
const LOST_KEY =
  'The secrets of the targets do not open, because their key is lost. Put it back, or set the targets again.';

export interface DeliveriesParts {
  store: Pick<DeliveryStore, 'add' | 'list' | 'page'>;
  sealingKeys: SealingKeys;
  effects: Effects;
  limits: Pick<DeliveryLimits, 'check' | 'countTest'>;
  recipients: Pick<Recipients, 'refused'>;
  /** Whether there are mail settings. */
  sendsMail: boolean;
  /** Tells the dispatcher that there are new deliveries. */
  wake(): void;
}

/** Secrets that were made for webhooks, to be shown once. */
export interface NewSecret {
  url: string;
  secret: string;
}

/**
 * Deliveries of alerts and digests. Their services check the caller's rights, except for `page`.
 */
export class Deliveries {
  private readonly parts: DeliveriesParts;
  /** Deliveries that are added in one call count together. */
  private readonly adding = new Mutex();

  constructor(parts: DeliveriesParts) {
    this.parts = parts;
  }

  /**
   * Seals the targets that a client sent, in place of the stored ones. Undefined: these stay. Null:
   * there are none. Throws `invalid` for targets that cannot be sent to, and `unavailable` when
   * nothing can be sealed.
   */
  async sealTargets(
    tenantId: string,
    source: DeliverySource,
    given: readonly TargetInput[] | undefined,
    stored: string | null = null,
  ): Promise<{ sealedTargets: string | null; newSecrets: NewSecret[] }> {
    if (given === undefined) return { sealedTargets: stored, newSecrets: [] };
    const { sealingKeys, sendsMail } = this.parts;
    const mail = given.findIndex(({ type }) => type === 'email');
    if (mail !== -1 && !sendsMail) {
      throw invalid(`targets[${mail}]: this server sends no e-mail; set AGENT_RUNTIME_SMTP_URL and restart it`);
    }
    if (given.length === 0) return { sealedTargets: null, newSecrets: [] };
    await this.requireRecipients(tenantId, given);
    const completed = completeTargets(given, this.openableTargets(tenantId, source, stored));
    const targets = completed.map(({ target }) => target);
    const newSecrets = completed.flatMap(({ target, newSecret: secret }) =>
      target.type === 'webhook' && secret !== null ? [{ url: target.url, secret }] : [],
    );
    const sealedTargets = sealTargets(await sealingKeys.active(), targets, targetsPlace(source, tenantId));
    return { sealedTargets, newSecrets };
  }

  private async requireRecipients(tenantId: string, targets: readonly (TargetInput | Target)[]): Promise<void> {
    for (const [index, target] of targets.entries()) {
      if (target.type !== 'email') continue;
      const refused = await this.parts.recipients.refused(tenantId, target.to);
      if (refused.length > 0) throw invalid(`targets[${index}].to: ${refused.join(', ')} is not allowed; ${WHO_MAY}`);
    }
  }

  /**
   * Before a test is made. Throws `rate_limited`, `invalid` for recipients that are not allowed any
   * more, and `unprocessable` as `openTargets`.
   */
  async beginTest(tenantId: string, source: DeliverySource, sealed: string | null): Promise<void> {
    await this.parts.limits.countTest(tenantId);
    await this.requireRecipients(tenantId, this.openTargets(tenantId, source, sealed));
  }

  /** Throws `rate_limited` if the tenant has too much waiting, or has sent too much, for these. */
  requireRoom(tenantId: string, deliveries: readonly NewDelivery[]): Promise<void> {
    return this.parts.limits.check(tenantId, deliveries);
  }

  /**
   * Without what the caller may not see. Targets whose key is lost are left out: they can be set
   * again.
   */
  shownTargets(caller: Caller, source: DeliverySource, sealed: string | null): ShownTarget[] {
    const mayWrite = hasScope(caller, 'alerts:write');
    return this.openableTargets(caller.tenantId, source, sealed).map((target) => shownTarget(target, mayWrite));
  }

  private openableTargets(tenantId: string, source: DeliverySource, sealed: string | null): Target[] {
    try {
      return this.openTargets(tenantId, source, sealed);
    } catch (error) {
      if (error instanceof RuntimeError && error.code === 'unprocessable') return [];
      throw error;
    }
  }

  /** Throws `unprocessable` when their key is lost. */
  openTargets(tenantId: string, source: DeliverySource, sealed: string | null): Target[] {
    try {
      return sealed === null ? [] : openTargets(this.parts.sealingKeys, sealed, targetsPlace(source, tenantId));
    } catch (error) {
      if (!(error instanceof UnopenableSecret)) throw error;
      throw new RuntimeError('unprocessable', LOST_KEY, { cause: error });
    }
  }

  /**
   * One delivery for each target, sealed. A store that inserts them in its own transaction
   * (`insertDeliveries`) prepares them before that, and calls `wake` after it. Throws
   * `unprocessable` for a message that is too large, and `unavailable` when nothing can be sealed.
   */
  async prepare(
    tenantId: string,
    source: DeliverySource,
    { targets, message }: { targets: readonly Target[]; message: Message },
  ): Promise<NewDelivery[]> {
    const { sealingKeys, effects } = this.parts;
    if (targets.length === 0) return [];
    const key = await sealingKeys.active();
    // Only e-mail shows these, which may be large.
    const { html: _, pictures: __, ...plain } = message;
    const isMail = ({ type }: Target) => type === 'email';
    const mailBody = targets.some(isMail) ? storedMessage(message) : '';
    const plainBody = storedMessage(plain);
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
        body: isMail(target) ? mailBody : plainBody,
        recipients: target.type === 'email' ? target.to.length : 1,
        createdAt,
      };
    });
  }

  /**
   * Durable when it resolves; sent from then on. Throws `not_found` for a tenant that was removed,
   * and `rate_limited`.
   */
  async add(tenantId: string, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const added = await this.adding.runExclusive(async () => {
      await this.requireRoom(tenantId, deliveries);
      return this.parts.store.add(tenantId, deliveries);
    });
    if (added === 'unknown tenant') throw tenantRemoved();
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

  /** Deliveries of all alerts and digests of the tenant, including deleted ones, newest first. */
  async page(caller: Caller, query: DeliveryQuery): Promise<Page<Delivery>> {
    requireScope(caller, 'alerts:read');
    requireAllEvents(caller, 'the messages of all alerts and digests');
    return this.parts.store.page(caller.tenantId, query);
  }
}
