import type { Deliveries } from '../deliveries/deliveries.ts';
import type { DeliverySource, NewDelivery } from '../deliveries/store.ts';
import type { Caller } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { RuntimeError } from '../shared/errors.ts';
import { nextRun } from './cron.ts';
import { type Evaluated, type EvaluateParts, evaluate } from './evaluate.ts';
import { alertMessage, type Told } from './message.ts';
import type { AlertStore, Finding, StoredAlert, StoredChange } from './store.ts';
import { type Found, type Transition, transition } from './transition.ts';

export interface CheckerParts extends EvaluateParts {
  store: Pick<AlertStore, 'settle'>;
  deliveries: Pick<Deliveries, 'openTargets' | 'prepare' | 'wake'>;
  effects: Effects;
  /** Of an alert; null: this server has no public URL. */
  urlOf(id: string): string | null;
  /** There are changes that are not events yet. */
  onChange(): void;
  onError(error: unknown, alertId: string): void;
}

type Checked = Pick<Told, 'finding' | 'measured'> & { found: Found };

const NOTHING = { bucket: null, value: null, comparedWith: null };
const INTERNAL = 'An internal error; the log of the server has it.';

/** Checks an alert, and commits its state together with the messages about it. */
export class AlertChecker {
  private readonly parts: CheckerParts;

  constructor(parts: CheckerParts) {
    this.parts = parts;
  }

  /** Rejects, and changes nothing, when it cannot be known whether the check fails: it is due still. */
  async check(alert: StoredAlert, signal: AbortSignal): Promise<void> {
    const { store, deliveries, effects } = this.parts;
    const { finding, measured, found } = await this.find(alert, signal);
    const { every, timezone, cooldown } = alert.definition;
    const at = effects.now();
    const next = this.tellable(alert, transition(alert.memory, found, at, cooldown * 1_000));
    const { state } = next.memory;
    const told: Told = {
      ...alert,
      state,
      from: next.from ?? alert.memory.state,
      finding,
      measured,
      at,
      url: this.parts.urlOf(alert.id),
    };
    const messages = next.notifies ? await this.messages(alert, told) : [];
    const change = this.changeOf(alert, next, finding, at);
    const isSettled = await store.settle(alert, {
      memory: next.memory,
      lastCheck: { at, ...finding },
      nextDue: nextRun(every, timezone, at),
      change,
      deliveries: messages,
    });
    if (!isSettled) return;
    if (messages.length > 0) deliveries.wake();
    if (change) this.parts.onChange();
  }

  /** Without a message when the targets do not open: the operator may put the key back, and a later check sends it. */
  private tellable(alert: StoredAlert, next: Transition): Transition {
    const { tenantId, sealedTargets, id, memory } = alert;
    try {
      if (next.notifies) this.parts.deliveries.openTargets(tenantId, sourceOf(id), sealedTargets);
      return next;
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== 'unprocessable') throw error;
      this.parts.onError(error, id);
      const { told, toldAt } = memory;
      return { ...next, memory: { ...next.memory, told, toldAt }, notifies: false };
    }
  }

  /** What a check finds now, without settling it. */
  async find(alert: StoredAlert, signal: AbortSignal | undefined): Promise<Checked> {
    const options = { now: this.parts.effects.now(), isAlerting: alert.memory.state === 'alerting', signal };
    try {
      return checkedBy(await evaluate(this.parts, callerOf(alert), alert.definition, options));
    } catch (error) {
      signal?.throwIfAborted();
      // An overloaded server, or one that is stopping, says nothing about the alert.
      if (error instanceof RuntimeError && error.code === 'unavailable') throw error;
      if (!(error instanceof RuntimeError)) this.parts.onError(error, alert.id);
      const reason = error instanceof RuntimeError ? error.message : INTERNAL;
      return { finding: { ...NOTHING, error: reason }, measured: null, found: 'failed' };
    }
  }

  /** One for each target. */
  async messages(alert: StoredAlert, told: Told): Promise<NewDelivery[]> {
    const { deliveries } = this.parts;
    const { tenantId, sealedTargets } = alert;
    const source = sourceOf(alert.id);
    const targets = deliveries.openTargets(tenantId, source, sealedTargets);
    return deliveries.prepare(tenantId, source, { targets, message: alertMessage(told) });
  }

  private changeOf(alert: StoredAlert, next: Transition, finding: Finding, at: number): StoredChange | null {
    if (next.from === null && !next.notifies) return null;
    const { state: from } = alert.memory;
    const id = this.parts.effects.newId();
    return { id, alertId: alert.id, at, from, to: next.memory.state, ...finding, told: next.notifies };
  }
}

function checkedBy({ verdict, question, unit }: Evaluated): Checked {
  const { state, ...finding } = verdict;
  return { finding: { ...finding, error: null }, measured: { question, unit }, found: state };
}

export function sourceOf(id: string): DeliverySource {
  return { kind: 'alert', id };
}

/** Checks have the rights to read; who may define an alert was checked before. */
export function callerOf({
  id,
  tenantId,
  agentId,
  definition,
}: Pick<StoredAlert, 'id' | 'tenantId' | 'agentId' | 'definition'>): Caller {
  return {
    tenantId,
    agentId,
    label: 'alert',
    scopes: ['events:read', 'dashboards:read', 'reviews:read'],
    timezone: definition.timezone,
    credential: { kind: 'key', id },
    userId: null,
    role: null,
  };
}
