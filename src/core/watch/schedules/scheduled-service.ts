import type { TextLanguage } from '../../../language/messages.ts';
import { type AuditLog, actorOf } from '../../base/audit/log.ts';
import { readsFewerEvents, readsWithin } from '../../base/filters/limits.ts';
import { type Caller, requireScope, type Scope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, notFound, RuntimeError, tooMany } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { Deliveries, NewSecret } from '../deliveries/deliveries.ts';
import type { Delivery, NewDelivery } from '../deliveries/store.ts';
import type { ShownTarget, TargetInput } from '../deliveries/targets.ts';
import { checkTimes, dueAfterChange, firstDue } from './cron.ts';
import type { Scheduled, ScheduledDefinition, ScheduledKind, ScheduledQuery, ScheduledStore } from './store.ts';

const MAX_DELIVERIES = 50;
/** How long a run waits for a server that cannot answer. */
export const MAX_WAIT_MS = 900_000;

export interface ScheduledParts {
  deliveries: Deliveries;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  /** There is another time at which one is due. */
  wake(): void;
}

/** The members of requests that all kinds have. */
export interface ScheduledInput {
  title?: string | undefined;
  every?: string | undefined;
  timezone?: string | undefined;
  language?: TextLanguage | undefined;
  enabled?: boolean | undefined;
  targets?: TargetInput[] | undefined;
}

/** The members of answers that all kinds have. */
export interface ShownScheduled extends ScheduledDefinition {
  id: string;
  language: TextLanguage;
  targets: ShownTarget[];
  createdAt: string;
  updatedAt: string;
  createdBy: string;
}

/** The item under its kind. `newSecrets` are shown once. */
export type Saved<Kind extends ScheduledKind, Shown> = Record<Kind, Shown> & { newSecrets: NewSecret[] };

export interface SentTest {
  id: string;
  target: string;
}

/** The change of a definition. */
export interface Revision<Item, Change> {
  /** Whether the new definition must be checked beyond its times. */
  isNew: boolean;
  /** The members of the item that a change resets. */
  state: Partial<Item>;
  change: Change | null;
}

export type Checkable<Item extends Scheduled> = Pick<Item, 'id' | 'tenantId' | 'agentId' | 'definition'>;

/** Definitions that run on a schedule, and send what they find to targets: alerts and digests. */
export abstract class ScheduledService<
  Kind extends ScheduledKind,
  Item extends Scheduled,
  Input extends ScheduledInput,
  Shown extends ShownScheduled,
  Query extends ScheduledQuery,
  Change,
> {
  protected abstract readonly kind: Kind;
  /** Most items of a tenant. */
  protected abstract readonly maximum: number;
  protected abstract readonly store: ScheduledStore<Item, unknown, Query, Change>;
  private readonly common: ScheduledParts;

  constructor(common: ScheduledParts) {
    this.common = common;
  }

  /** Members of a definition that a request may leave out. */
  protected abstract defaults(caller: Caller): Item['definition'];
  protected abstract changed(definition: Item['definition'], changes: Input): Item['definition'];
  /** The state before the first run. */
  protected abstract initialState(): Omit<Item, keyof Scheduled>;
  /** Throws `forbidden` where the caller may not see what the change asks for. */
  protected abstract revise(
    caller: Caller,
    stored: Item,
    next: { definition: Item['definition']; changes: Input },
  ): Revision<Item, Change>;
  /** Throws where what the definition asks for does not exist, or is not the caller's to see. */
  protected abstract checkDefinition(caller: Caller, item: Checkable<Item>): Promise<void>;
  /** Runs once without a trace. Nothing is sent yet. */
  protected abstract tested(
    caller: Caller,
    item: Item,
    signal: AbortSignal | undefined,
  ): Promise<{ found: object; messages: readonly NewDelivery[] }>;
  protected abstract shownState(item: Item): Omit<Shown, keyof ShownScheduled>;

  /** Runs the write of a definition if the tenant may have it. */
  protected write<Result>(
    _tenantId: string,
    _sizes: { before: unknown; after: unknown },
    write: () => Promise<Result>,
  ): Promise<Result> {
    return write();
  }

  protected async beforeRemoval(): Promise<void> {}

  /** Newest first. */
  protected async page(caller: Caller, query: Query): Promise<Page<Shown>> {
    requireScope(caller, 'alerts:read');
    const { items, total } = await this.pageWithin(caller, query);
    return { items: items.map((item) => this.shown(caller, item)), total };
  }

  private async pageWithin(caller: Caller, query: Query): Promise<Page<Item>> {
    const { store, maximum } = this;
    if (!readsFewerEvents(caller)) return store.list(caller.tenantId, query);
    const all = await store.list(caller.tenantId, { ...query, limit: maximum, offset: 0 });
    const within = all.items.filter((item) => isWithin(caller, item));
    return { items: within.slice(query.offset, query.offset + query.limit), total: within.length };
  }

  async get(caller: Caller, id: string): Promise<Shown> {
    requireScope(caller, 'alerts:read');
    return this.shown(caller, await this.found(caller, id));
  }

  /** Throws what `check` throws, and `unprocessable` where the tenant has too many. */
  async create(caller: Caller, input: Input): Promise<Saved<Kind, Shown>> {
    requireScope(caller, 'alerts:write');
    const { kind, store, maximum } = this;
    const { deliveries, effects } = this.common;
    const { tenantId, agentId } = caller;
    const held = readsFewerEvents(caller) && { limits: caller.limits };
    const definition = this.changed({ ...this.defaults(caller), ...held }, input);
    const id = effects.newId();
    checkTimes(definition);
    await this.checkDefinition(caller, { id, tenantId, agentId, definition });
    const { total } = await store.list(tenantId, { limit: 0, offset: 0 } as Query);
    if (total >= maximum) throw tooMany(`${kind}s`, maximum);
    const { sealedTargets, newSecrets } = await deliveries.sealTargets(tenantId, { kind, id }, input.targets);
    const now = effects.now();
    const common: Scheduled = {
      ...{ id, tenantId, agentId, definition, sealedTargets },
      revision: 0,
      nextDue: firstDue(definition, now),
      createdAt: now,
      updatedAt: now,
      createdBy: actorOf(caller).label,
      maker: caller.userId ?? undefined,
    };
    const item = { ...common, ...this.initialState() } as Item;
    await this.write(tenantId, { before: null, after: definition }, () => store.add(item));
    return this.saved(caller, item, { action: 'created', newSecrets });
  }

  /** Throws `not_found`, `conflict`, and what `check` throws. */
  async update(caller: Caller, id: string, changes: Input): Promise<Saved<Kind, Shown>> {
    requireScope(caller, 'alerts:write');
    const { kind, store } = this;
    const { deliveries, effects } = this.common;
    // A run that ends in the meantime makes another revision.
    return retryOnConflict(kind, async () => {
      const stored = await this.found(caller, id);
      const { tenantId } = stored;
      const definition = this.changed(stored.definition, changes);
      const { isNew, state, change } = this.revise(caller, stored, { definition, changes });
      checkTimes(definition);
      // An item whose question has no answer any more can still be switched off.
      if (isNew && definition.enabled) await this.checkDefinition(caller, { ...stored, definition });
      const now = effects.now();
      const source = { kind, id };
      const targets = await deliveries.sealTargets(tenantId, source, changes.targets, stored.sealedTargets);
      const item: Item = {
        ...stored,
        definition,
        sealedTargets: targets.sealedTargets,
        nextDue: dueAfterChange(stored, definition, now),
        updatedAt: now,
        ...state,
        ...(changes.enabled && { maker: caller.userId ?? undefined }),
      };
      const sizes = { before: stored.definition, after: definition };
      if (!(await this.write(tenantId, sizes, () => store.replace(item, change)))) return null;
      return this.saved(caller, item, { action: 'changed', newSecrets: targets.newSecrets });
    });
  }

  async remove(caller: Caller, id: string): Promise<void> {
    requireScope(caller, 'alerts:write');
    await this.found(caller, id);
    await this.beforeRemoval();
    if (!(await this.store.remove(caller.tenantId, id))) throw this.unknown(id);
    await this.common.audit.record(caller, caller.tenantId, `${this.kind}.removed`, id);
  }

  /** The latest messages, newest first. */
  async deliveries(caller: Caller, id: string): Promise<Delivery[]> {
    requireScope(caller, 'alerts:read');
    await this.found(caller, id);
    return this.common.deliveries.list(caller.tenantId, { kind: this.kind, id }, MAX_DELIVERIES);
  }

  /** Runs now, and sends each target the message. State and schedule stay as they are. */
  protected async sendTest(
    caller: Caller,
    id: string,
    signal: AbortSignal | undefined,
  ): Promise<{ found: object; deliveries: SentTest[] }> {
    requireScope(caller, 'alerts:write');
    const { deliveries, audit } = this.common;
    const item = await this.found(caller, id);
    await deliveries.beginTest(caller.tenantId, { kind: this.kind, id }, item.sealedTargets);
    const { found, messages } = await this.tested(caller, item, signal);
    await deliveries.add(caller.tenantId, messages);
    await audit.record(caller, caller.tenantId, `${this.kind}.tested`, id);
    return { found, deliveries: messages.map(({ id: delivery, place }) => ({ id: delivery, target: place })) };
  }

  /** For a caller with limits there are only those within them. */
  protected async found(caller: Caller, id: string): Promise<Item> {
    const item = await this.store.find(caller.tenantId, id);
    if (!item || !isWithin(caller, item)) throw this.unknown(id);
    return item;
  }

  private async saved(
    caller: Caller,
    item: Item,
    { action, newSecrets }: { action: string; newSecrets: NewSecret[] },
  ): Promise<Saved<Kind, Shown>> {
    const { kind } = this;
    const { audit, wake } = this.common;
    await audit.record(caller, item.tenantId, `${kind}.${action}`, item.id, { title: item.definition.title });
    wake();
    return { [kind]: this.shown(caller, item), newSecrets } as Saved<Kind, Shown>;
  }

  private shown(caller: Caller, item: Item): Shown {
    const { id, sealedTargets, createdAt, updatedAt, createdBy } = item;
    const { title, every, timezone, language = 'en', enabled, disabledReason, limits } = item.definition;
    return {
      ...{ id, title, ...this.shownState(item), every, timezone, language, enabled, limits },
      ...(disabledReason !== undefined && { disabledReason }),
      targets: this.common.deliveries.shownTargets(caller, { kind: this.kind, id }, sealedTargets),
      createdAt: formatUtc(createdAt),
      updatedAt: formatUtc(updatedAt),
      createdBy,
    } as unknown as Shown;
  }

  private unknown(id: string): RuntimeError {
    return notFound(`There is no ${this.kind} ${JSON.stringify(id.slice(0, 100))}.`);
  }
}

function isWithin(caller: Caller, { definition }: Scheduled): boolean {
  return !readsFewerEvents(caller) || readsWithin(definition.limits ?? [], caller);
}

/** The members that all definitions have, after a change. */
export function changedSchedule(before: ScheduledDefinition, changes: ScheduledInput): ScheduledDefinition {
  const { title, every, timezone, language, enabled, disabledReason, limits } = before;
  return {
    ...(limits && { limits }),
    title: changes.title ?? title,
    every: changes.every ?? every,
    timezone: changes.timezone ?? timezone,
    language: changes.language ?? language,
    enabled: changes.enabled ?? enabled,
    ...(changes.enabled === undefined && disabledReason !== undefined && { disabledReason }),
  };
}

/**
 * The caller of a run, with rights to read; who may define an item is checked when it is created or
 * changed.
 */
export function scheduledCaller(kind: ScheduledKind, item: Checkable<Scheduled>, scopes: Scope[]): Caller {
  const { id, tenantId, agentId, definition } = item;
  return {
    ...{ tenantId, agentId, scopes, limits: definition.limits },
    label: kind,
    timezone: definition.timezone,
    credential: { kind: 'key', id },
    userId: null,
    role: null,
  };
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof RuntimeError && error.code === 'unavailable';
}

const MAX_ATTEMPTS = 5;

/**
 * Optimistic concurrency: runs a change again while it returns null, because the stored revision
 * differs. Throws `conflict` after five attempts.
 */
export async function retryOnConflict<Result>(what: string, change: () => Promise<Result | null>): Promise<Result> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const result = await change();
    if (result !== null) return result;
  }
  throw conflict(`The ${what} was changed at the same time. Try again.`);
}
