import type { DashboardService } from '../../analytics/dashboards/service.ts';
import { type AuditLog, actorOf } from '../../base/audit/log.ts';
import { retryOnConflict } from '../../base/concurrency/retry-on-conflict.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { notFound, type RuntimeError, tooMany } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { Deliveries, NewSecret } from '../deliveries/deliveries.ts';
import type { Delivery } from '../deliveries/store.ts';
import { checkTimes, dueAfterChange, firstDue } from '../schedules/cron.ts';
import type { CreateDigest, Digest, DigestsQuery, UpdateDigest } from './schema.ts';
import { callerOf, type DigestSender, sourceOf } from './sender.ts';
import type { DigestDefinition, DigestStore, StoredDigest } from './store.ts';

export interface DigestParts {
  store: DigestStore;
  sender: Pick<DigestSender, 'make'>;
  dashboards: Pick<DashboardService, 'card' | 'tab'>;
  deliveries: Deliveries;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  /** There is another time at which a digest is due. */
  wake(): void;
}

/** Per tenant. */
const MAX_DIGESTS = 200;
const MAX_DELIVERIES = 50;
const DEFAULT_EVERY = '0 8 * * 1';

/** `newSecrets` are shown once. */
export interface SavedDigest {
  digest: Digest;
  newSecrets: NewSecret[];
}

export class DigestService {
  private readonly parts: DigestParts;

  constructor(parts: DigestParts) {
    this.parts = parts;
  }

  /** Newest first. */
  async list(caller: Caller, { createdBy: maker, ...page }: DigestsQuery): Promise<Page<Digest>> {
    requireScope(caller, 'alerts:read');
    const { items, total } = await this.parts.store.list(caller.tenantId, { ...page, maker });
    return { items: items.map((digest) => this.shown(caller, digest)), total };
  }

  async get(caller: Caller, id: string): Promise<Digest> {
    requireScope(caller, 'alerts:read');
    return this.shown(caller, await this.found(caller, id));
  }

  /** Throws `not_found` for an unknown dashboard or card. */
  async create(caller: Caller, input: CreateDigest): Promise<SavedDigest> {
    requireScope(caller, 'alerts:write');
    const { tenantId, agentId } = caller;
    const { store, deliveries, audit, effects } = this.parts;
    const definition: DigestDefinition = {
      title: input.title,
      cards: cardsOf(input)!,
      every: input.every ?? DEFAULT_EVERY,
      timezone: input.timezone ?? caller.timezone,
      enabled: input.enabled ?? true,
    };
    const id = effects.newId();
    await this.checkDefinition({ id, tenantId, agentId, definition });
    if ((await store.list(tenantId, { limit: 0, offset: 0 })).total >= MAX_DIGESTS) {
      throw tooMany('digests', MAX_DIGESTS);
    }
    const { sealedTargets, newSecrets } = await deliveries.sealTargets(tenantId, sourceOf(id), input.targets);
    const now = effects.now();
    const digest: StoredDigest = {
      id,
      tenantId,
      agentId,
      definition,
      sealedTargets,
      revision: 0,
      lastSent: null,
      nextDue: firstDue(definition, now),
      createdAt: now,
      updatedAt: now,
      createdBy: actorOf(caller).label,
      maker: caller.userId ?? undefined,
    };
    await store.add(digest);
    await audit.record(caller, tenantId, 'digest.created', id, { title: definition.title });
    this.parts.wake();
    return { digest: this.shown(caller, digest), newSecrets };
  }

  /** Throws `not_found`. */
  async update(caller: Caller, id: string, changes: UpdateDigest): Promise<SavedDigest> {
    requireScope(caller, 'alerts:write');
    const { store, deliveries, audit, effects } = this.parts;
    // A digest that is sent meanwhile makes another revision.
    return retryOnConflict('digest', async () => {
      const stored = await this.found(caller, id);
      const definition = changed(stored.definition, changes);
      // Targets and times of one whose cards are gone can still be changed.
      const isNew = changes.tabId !== undefined || changes.cardIds !== undefined || changes.enabled === true;
      if (isNew && definition.enabled) await this.checkDefinition({ ...stored, definition });
      else checkTimes(definition);
      const now = effects.now();
      const { newSecrets, sealedTargets } = await deliveries.sealTargets(
        caller.tenantId,
        sourceOf(id),
        changes.targets,
        stored.sealedTargets,
      );
      const nextDue = dueAfterChange(stored, definition, now);
      const maker = changes.enabled ? (caller.userId ?? undefined) : stored.maker;
      const digest: StoredDigest = { ...stored, definition, sealedTargets, nextDue, updatedAt: now, maker };
      if (!(await store.replace(digest))) return null;
      await audit.record(caller, caller.tenantId, 'digest.changed', id, { title: definition.title });
      this.parts.wake();
      return { digest: this.shown(caller, digest), newSecrets };
    });
  }

  async remove(caller: Caller, id: string): Promise<void> {
    requireScope(caller, 'alerts:write');
    if (!(await this.parts.store.remove(caller.tenantId, id))) throw unknownDigest(id);
    await this.parts.audit.record(caller, caller.tenantId, 'digest.removed', id);
  }

  /** Sends the digest now. The next scheduled digest still compares with the last scheduled one. */
  async test(caller: Caller, id: string, signal?: AbortSignal): Promise<{ id: string; target: string }[]> {
    requireScope(caller, 'alerts:write');
    const { sender, deliveries, audit } = this.parts;
    const digest = await this.found(caller, id);
    await deliveries.beginTest(caller.tenantId, sourceOf(id), digest.sealedTargets);
    const { deliveries: messages } = await sender.make(digest, signal);
    await deliveries.add(caller.tenantId, messages);
    await audit.record(caller, caller.tenantId, 'digest.tested', id);
    return messages.map(({ id: delivery, place }) => ({ id: delivery, target: place }));
  }

  /** The latest messages, newest first. */
  async deliveries(caller: Caller, id: string): Promise<Delivery[]> {
    requireScope(caller, 'alerts:read');
    await this.found(caller, id);
    return this.parts.deliveries.list(caller.tenantId, sourceOf(id), MAX_DELIVERIES);
  }

  private async found({ tenantId }: Caller, id: string): Promise<StoredDigest> {
    const digest = await this.parts.store.find(tenantId, id);
    if (!digest) throw unknownDigest(id);
    return digest;
  }

  private async checkDefinition(
    digest: Pick<StoredDigest, 'id' | 'tenantId' | 'agentId' | 'definition'>,
  ): Promise<void> {
    const { cards } = digest.definition;
    checkTimes(digest.definition);
    const { dashboards } = this.parts;
    const caller = callerOf(digest);
    if ('tabId' in cards) await dashboards.tab(caller, cards.tabId);
    else for (const id of cards.cardIds) await dashboards.card(caller, id);
  }

  private shown(caller: Caller, { id, definition, sealedTargets, lastSent, ...digest }: StoredDigest): Digest {
    const { title, cards, ...rest } = definition;
    return {
      id,
      title,
      ...cards,
      ...rest,
      targets: this.parts.deliveries.shownTargets(caller, sourceOf(id), sealedTargets),
      lastSent: lastSent && { at: formatUtc(lastSent.at), error: lastSent.error },
      nextAt: digest.nextDue === null ? null : formatUtc(digest.nextDue),
      createdAt: formatUtc(digest.createdAt),
      updatedAt: formatUtc(digest.updatedAt),
      createdBy: digest.createdBy,
    };
  }
}

function cardsOf({ tabId, cardIds }: UpdateDigest): DigestDefinition['cards'] | null {
  if (tabId !== undefined) return { tabId };
  return cardIds === undefined ? null : { cardIds };
}

function changed(definition: DigestDefinition, changes: UpdateDigest): DigestDefinition {
  const { title, cards, every, timezone, enabled, disabledReason } = definition;
  return {
    title: changes.title ?? title,
    cards: cardsOf(changes) ?? cards,
    every: changes.every ?? every,
    timezone: changes.timezone ?? timezone,
    enabled: changes.enabled ?? enabled,
    ...(changes.enabled === undefined && disabledReason !== undefined && { disabledReason }),
  };
}

function unknownDigest(id: string): RuntimeError {
  return notFound(`There is no digest ${JSON.stringify(id.slice(0, 100))}.`);
}
