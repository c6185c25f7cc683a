import { isDeepStrictEqual } from 'node:util';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Page } from '../../base/shared/paging.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { DefinitionBudget } from '../../limits/quotas/definition-budget.ts';
import {
  type Checkable,
  changedSchedule,
  type ScheduledParts,
  ScheduledService,
  type ShownScheduled,
} from '../schedules/scheduled-service.ts';
import { resetAlert } from './changes.ts';
import { type AlertChecker, callerOfAlert } from './checker.ts';
import { type EvaluateParts, evaluate } from './evaluate.ts';
import type { Alert, AlertChange, AlertsQuery, AlertTest, UpdateAlert } from './schema.ts';
import type { AlertDefinition, AlertQuery, AlertStore, AlertSubject, StoredAlert, StoredChange } from './store.ts';
import { type AlertState, INITIAL_MEMORY } from './transition.ts';

export interface AlertParts extends ScheduledParts, EvaluateParts {
  store: AlertStore;
  definitions: DefinitionBudget;
  checker: Pick<AlertChecker, 'evaluate' | 'messages'>;
  /** Resolves once all changes that can be recorded as events are. */
  recorded(): Promise<void>;
}

/** Some minutes after the hour: events of its end may be on their way. */
const DEFAULT_EVERY = '5,20,35,50 * * * *';
const DEFAULT_COOLDOWN = 3_600;

/**
 * A change of what is checked, or switching on or off, resets the state to ok. A question that has
 * no answer is `invalid`.
 */
export class AlertService extends ScheduledService<'alert', StoredAlert, UpdateAlert, Alert, AlertQuery, StoredChange> {
  protected readonly kind = 'alert';
  protected readonly maximum = 1_000;
  protected readonly store: AlertStore;
  private readonly parts: AlertParts;

  constructor(parts: AlertParts) {
    super(parts);
    this.parts = parts;
    this.store = parts.store;
  }

  /** Newest first. */
  list(caller: Caller, { createdBy: maker, ...query }: AlertsQuery): Promise<Page<Alert>> {
    return this.page(caller, { ...query, maker });
  }

  /** Checks now, and sends each target a test message. */
  async test(caller: Caller, id: string, signal?: AbortSignal): Promise<AlertTest> {
    const { found, deliveries } = await this.sendTest(caller, id, signal);
    return { ...(found as Omit<AlertTest, 'deliveries'>), deliveries };
  }

  /** Changes of state, newest first. */
  async history(caller: Caller, id: string, page: { limit: number; offset: number }): Promise<Page<AlertChange>> {
    requireScope(caller, 'alerts:read');
    await this.found(caller, id);
    const { items, total } = await this.store.history(caller.tenantId, id, page);
    return { items: items.map(({ alertId: _, at, ...change }) => ({ ...change, at: formatUtc(at) })), total };
  }

  protected defaults({ timezone }: Caller): AlertDefinition {
    const schedule = { title: '', every: DEFAULT_EVERY, timezone, enabled: true };
    return { ...schedule, asked: { metric: '' }, condition: { type: 'no_data' }, cooldown: DEFAULT_COOLDOWN };
  }

  protected changed(before: AlertDefinition, changes: UpdateAlert): AlertDefinition {
    return {
      ...changedSchedule(before, changes),
      asked: askedOf(changes) ?? before.asked,
      condition: changes.condition ?? before.condition,
      cooldown: changes.cooldown ?? before.cooldown,
    };
  }

  protected initialState() {
    return { memory: INITIAL_MEMORY, lastCheck: null };
  }

  protected revise(
    caller: Caller,
    stored: StoredAlert,
    { definition, changes }: { definition: AlertDefinition; changes: UpdateAlert },
  ) {
    if (changes.question?.review) requireScope(caller, 'reviews:read');
    const isNew = !isDeepStrictEqual(checkedOf(stored.definition), checkedOf(definition));
    const { effects } = this.parts;
    if (!isNew) return { isNew, state: {}, change: null };
    return { isNew, ...resetAlert(stored, { id: effects.newId(), at: effects.now() }) };
  }

  protected async checkDefinition(caller: Caller, alert: Checkable<StoredAlert>): Promise<void> {
    const { asked } = alert.definition;
    if ('question' in asked && asked.question.review) requireScope(caller, 'reviews:read');
    const options = { now: this.parts.effects.now(), isAlerting: false };
    const { question } = await evaluate(this.parts, callerOfAlert(alert), alert.definition, options);
    // The question of a card may ask for reviews, too.
    if (question.review) requireScope(caller, 'reviews:read');
  }

  protected async tested(caller: Caller, alert: StoredAlert, signal: AbortSignal | undefined) {
    const { checker, effects } = this.parts;
    const { finding, measured, found } = await checker.evaluate(alert, signal);
    if (measured?.question.review) requireScope(caller, 'reviews:read');
    const state: AlertState = found === 'failed' ? 'failing' : found;
    const notice = { ...alert, state, from: null, finding, measured, at: effects.now() };
    return { found: { state, ...finding }, messages: await checker.messages(alert, notice) };
  }

  protected override write<Result>(
    tenantId: string,
    sizes: { before: unknown; after: unknown },
    write: () => Promise<Result>,
  ): Promise<Result> {
    return this.parts.definitions.within(tenantId, sizes, write);
  }

  /** The history goes with the alert, its events stay. */
  protected override beforeRemoval(): Promise<void> {
    return this.parts.recorded();
  }

  protected shownState({ definition, memory, lastCheck, nextDue }: StoredAlert): Omit<Alert, keyof ShownScheduled> {
    const { asked, condition, cooldown } = definition;
    return {
      ...asked,
      condition,
      cooldown,
      state: memory.state,
      lastCheck: lastCheck && { ...lastCheck, at: formatUtc(lastCheck.at) },
      nextCheckAt: nextDue === null ? null : formatUtc(nextDue),
    };
  }
}

function askedOf({ metric, question, cardId }: UpdateAlert): AlertSubject | null {
  if (metric !== undefined) return { metric };
  if (question !== undefined) return { question };
  return cardId === undefined ? null : { cardId };
}

function checkedOf({ asked, condition, timezone, enabled }: AlertDefinition): object {
  return { asked, condition, timezone, enabled };
}
