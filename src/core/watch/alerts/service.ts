import { isDeepStrictEqual } from 'node:util';
import { type AuditLog, actorOf } from '../../base/audit/log.ts';
import { retryOnConflict } from '../../base/concurrency/retry-on-conflict.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { notFound, type RuntimeError, tooMany } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import type { DefinitionBudget } from '../../limits/quotas/definition-budget.ts';
import type { Deliveries, NewSecret } from '../deliveries/deliveries.ts';
import type { Delivery } from '../deliveries/store.ts';
import { checkTimes, dueAfterChange, firstDue } from '../schedules/cron.ts';
import { resetChange, resetMemory } from './changes.ts';
import { type AlertChecker, callerOf, sourceOf } from './checker.ts';
import { type EvaluateParts, evaluate } from './evaluate.ts';
import type { Alert, AlertChange, AlertsQuery, AlertTest, CreateAlert, UpdateAlert } from './schema.ts';
import { shownAlert, shownChange } from './shown.ts';
import type { AlertDefinition, AlertStore, Asked, StoredAlert } from './store.ts';
import { type AlertState, INITIAL_MEMORY } from './transition.ts';

export interface AlertParts extends EvaluateParts {
  store: AlertStore;
  definitions: DefinitionBudget;
  checker: Pick<AlertChecker, 'evaluate' | 'messages'>;
  deliveries: Deliveries;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  /** There is another time at which a check is due. */
  wake(): void;
  /** There may be changes of states that are not events yet. */
  onChange(): void;
  /** Resolves once all changes that can be recorded as events are. */
  recorded(): Promise<void>;
}

/** Per tenant. */
const MAX_ALERTS = 1_000;
const MAX_DELIVERIES = 50;
/** Some minutes after the hour: events of its end may be on their way. */
const DEFAULT_EVERY = '5,20,35,50 * * * *';
const DEFAULT_COOLDOWN = 3_600;

/** `newSecrets` are shown once. */
export interface SavedAlert {
  alert: Alert;
  newSecrets: NewSecret[];
}

export class AlertService {
  private readonly parts: AlertParts;

  constructor(parts: AlertParts) {
    this.parts = parts;
  }

  /** Newest first. */
  async list(caller: Caller, query: AlertsQuery): Promise<Page<Alert>> {
    requireScope(caller, 'alerts:read');
    const { createdBy: maker, ...asked } = query;
    const { items, total } = await this.parts.store.list(caller.tenantId, { ...asked, maker });
    return { items: items.map((alert) => this.shown(caller, alert)), total };
  }

  async get(caller: Caller, id: string): Promise<Alert> {
    requireScope(caller, 'alerts:read');
    return this.shown(caller, await this.found(caller, id));
  }

  /** Throws `invalid` for a question that has no answer. */
  async create(caller: Caller, input: CreateAlert): Promise<SavedAlert> {
    requireScope(caller, 'alerts:write');
    const { tenantId, agentId } = caller;
    const { store, deliveries, audit, effects } = this.parts;
    const definition: AlertDefinition = {
      title: input.title,
      asked: askedOf(input)!,
      condition: input.condition,
      every: input.every ?? DEFAULT_EVERY,
      timezone: input.timezone ?? caller.timezone,
      cooldown: input.cooldown ?? DEFAULT_COOLDOWN,
      enabled: input.enabled ?? true,
    };
    const id = effects.newId();
    await this.checkDefinition(caller, { id, tenantId, agentId, definition });
    if ((await store.count(tenantId)) >= MAX_ALERTS) {
      throw tooMany('alerts', MAX_ALERTS);
    }
    const { sealedTargets, newSecrets } = await deliveries.sealTargets(tenantId, sourceOf(id), input.targets);
    const now = effects.now();
    const alert: StoredAlert = {
      id,
      tenantId,
      agentId,
      definition,
      sealedTargets,
      revision: 0,
      memory: INITIAL_MEMORY,
      lastCheck: null,
      nextDue: firstDue(definition, now),
      createdAt: now,
      updatedAt: now,
      createdBy: actorOf(caller).label,
      maker: caller.userId ?? undefined,
    };
    await this.parts.definitions.within(tenantId, { before: null, after: definition }, () => store.add(alert));
    await audit.record(caller, tenantId, 'alert.created', id, { title: definition.title });
    this.parts.wake();
    return { alert: this.shown(caller, alert), newSecrets };
  }

  /**
   * A change of what is checked, or switching on or off, resets the state to ok. Throws
   * `not_found`.
   */
  async update(caller: Caller, id: string, changes: UpdateAlert): Promise<SavedAlert> {
    requireScope(caller, 'alerts:write');
    const { store, deliveries, audit, effects } = this.parts;
    // A check that ends meanwhile makes another revision.
    return retryOnConflict('alert', async () => {
      const stored = await this.found(caller, id);
      const definition = changed(stored.definition, changes);
      const isNew = beginsAnew(stored.definition, definition);
      if (changes.question?.review) requireScope(caller, 'reviews:read');
      // One whose question has no answer any more can still be switched off.
      if (definition.enabled && isNew) await this.checkDefinition(caller, { ...stored, definition });
      else checkTimes(definition);
      const now = effects.now();
      const { newSecrets, sealedTargets } = await deliveries.sealTargets(
        caller.tenantId,
        sourceOf(id),
        changes.targets,
        stored.sealedTargets,
      );
      const alert: StoredAlert = {
        ...stored,
        definition,
        sealedTargets,
        nextDue: dueAfterChange(stored, definition, now),
        updatedAt: now,
        ...(isNew && { memory: resetMemory(stored.memory), lastCheck: null }),
        ...(changes.enabled && { maker: caller.userId ?? undefined }),
      };
      const reset = isNew ? resetChange(stored, { id: effects.newId(), at: now }) : null;
      const sizes = { before: stored.definition, after: definition };
      const replace = () => store.replace(alert, reset);
      if (!(await this.parts.definitions.within(caller.tenantId, sizes, replace))) return null;
      await audit.record(caller, caller.tenantId, 'alert.changed', id, { title: definition.title });
      this.parts.onChange();
      this.parts.wake();
      return { alert: this.shown(caller, alert), newSecrets };
    });
  }

  async remove(caller: Caller, id: string): Promise<void> {
    requireScope(caller, 'alerts:write');
    // The history goes with the alert.
    await this.parts.recorded();
    if (!(await this.parts.store.remove(caller.tenantId, id))) throw unknownAlert(id);
    await this.parts.audit.record(caller, caller.tenantId, 'alert.removed', id);
  }

  /** Checks now, and sends each target a test message. The state stays as it is. */
  async test(caller: Caller, id: string, signal?: AbortSignal): Promise<AlertTest> {
    requireScope(caller, 'alerts:write');
    const { checker, deliveries, audit, effects } = this.parts;
    const alert = await this.found(caller, id);
    await deliveries.beginTest(caller.tenantId, sourceOf(id), alert.sealedTargets);
    const { finding, measured, found } = await checker.evaluate(alert, signal);
    if (measured?.question.review) requireScope(caller, 'reviews:read');
    const state: AlertState = found === 'failed' ? 'failing' : found;
    const notice = { ...alert, state, from: null, finding, measured, at: effects.now() };
    const messages = await checker.messages(alert, notice);
    await deliveries.add(caller.tenantId, messages);
    await audit.record(caller, caller.tenantId, 'alert.tested', id);
    return {
      state,
      ...finding,
      deliveries: messages.map(({ id: delivery, place }) => ({ id: delivery, target: place })),
    };
  }

  /** Changes of state, newest first. */
  async history(caller: Caller, id: string, page: { limit: number; offset: number }): Promise<Page<AlertChange>> {
    requireScope(caller, 'alerts:read');
    await this.found(caller, id);
    const { items, total } = await this.parts.store.history(caller.tenantId, id, page);
    return { items: items.map(shownChange), total };
  }

  /** The latest messages, newest first. */
  async deliveries(caller: Caller, id: string): Promise<Delivery[]> {
    requireScope(caller, 'alerts:read');
    return this.parts.deliveries.list(caller.tenantId, sourceOf(id), MAX_DELIVERIES);
  }

  private async found({ tenantId }: Caller, id: string): Promise<StoredAlert> {
    const alert = await this.parts.store.find(tenantId, id);
    if (!alert) throw unknownAlert(id);
    return alert;
  }

  private async checkDefinition(
    caller: Caller,
    alert: Pick<StoredAlert, 'id' | 'tenantId' | 'agentId' | 'definition'>,
  ): Promise<void> {
    const { asked } = alert.definition;
    checkTimes(alert.definition);
    if ('question' in asked && asked.question.review) requireScope(caller, 'reviews:read');
    const options = { now: this.parts.effects.now(), isAlerting: false };
    const { question } = await evaluate(this.parts, callerOf(alert), alert.definition, options);
    // Of a card.
    if (question.review) requireScope(caller, 'reviews:read');
  }

  private shown(caller: Caller, alert: StoredAlert): Alert {
    const { id, sealedTargets } = alert;
    return shownAlert(alert, this.parts.deliveries.shownTargets(caller, sourceOf(id), sealedTargets));
  }
}

function askedOf({ metric, question, cardId }: UpdateAlert): Asked | null {
  if (metric !== undefined) return { metric };
  if (question !== undefined) return { question };
  return cardId === undefined ? null : { cardId };
}

function changed(definition: AlertDefinition, changes: UpdateAlert): AlertDefinition {
  const { title, condition, every, timezone, cooldown, enabled, disabledReason } = definition;
  return {
    title: changes.title ?? title,
    asked: askedOf(changes) ?? definition.asked,
    condition: changes.condition ?? condition,
    every: changes.every ?? every,
    timezone: changes.timezone ?? timezone,
    cooldown: changes.cooldown ?? cooldown,
    enabled: changes.enabled ?? enabled,
    ...(changes.enabled === undefined && disabledReason !== undefined && { disabledReason }),
  };
}

function beginsAnew(before: AlertDefinition, after: AlertDefinition): boolean {
  const checked = ({ asked, condition, timezone, enabled }: AlertDefinition) => ({
    asked,
    condition,
    timezone,
    enabled,
  });
  return !isDeepStrictEqual(checked(before), checked(after));
}

function unknownAlert(id: string): RuntimeError {
  return notFound(`There is no alert ${JSON.stringify(id.slice(0, 100))}.`);
}
