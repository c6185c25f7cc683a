import type { Deliveries } from '../deliveries/deliveries.ts';
import type { DeliverySource, NewDelivery } from '../deliveries/store.ts';
import type { Caller } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { RuntimeError } from '../shared/errors.ts';
import { nextRun } from './cron.ts';
import { type Evaluated, type EvaluateParts, evaluate } from './evaluate.ts';
import { type AlertNotice, alertMessage } from './message.ts';
import type { AlertStore, Finding, StoredAlert, StoredChange } from './store.ts';
import { type Found, type Transition, transition } from './transition.ts';

export interface CheckerParts extends EvaluateParts {
  store: Pick<AlertStore, 'settle'>;
  deliveries: Pick<Deliveries, 'openTargets' | 'prepare' | 'wake'>;
  effects: Effects;
  /** The URL of a page of the portal; null: this server has no public URL. */
  pageOf(path: string): string | null;
  /** There are changes that are not events yet. */
  onChange(): void;
  onError(error: unknown, alertId: string): void;
}

type Checked = Pick<AlertNotice, 'finding' | 'measured'> & { found: Found };

const NOTHING = { bucket: null, value: null, comparedWith: null, cases: null };
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
    const next = this.deliverable(alert, transition(alert.memory, found, at, cooldown * 1_000));
    const { state } = next.memory;
    const notice: AlertNotice = {
      ...alert,
      state,
      from: next.from ?? alert.memory.state,
      finding,
      measured,
      at,
    };
    const messages = next.notifies ? await this.messages(alert, notice) : [];
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
  private deliverable(alert: StoredAlert, next: Transition): Transition {
    const { tenantId, sealedTargets, id, memory } = alert;
    try {
      if (next.notifies) this.parts.deliveries.openTargets(tenantId, sourceOf(id), sealedTargets);
      return next;
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== 'unprocessable') throw error;
      this.parts.onError(error, id);
      const { notified, notifiedAt } = memory;
      return { ...next, memory: { ...next.memory, notified, notifiedAt }, notifies: false };
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
  async messages(alert: StoredAlert, notice: AlertNotice): Promise<NewDelivery[]> {
    const { deliveries, pageOf } = this.parts;
    const { tenantId, sealedTargets } = alert;
    const source = sourceOf(alert.id);
    const targets = deliveries.openTargets(tenantId, source, sealedTargets);
    return deliveries.prepare(tenantId, source, { targets, message: alertMessage(notice, pageOf) });
  }

  private changeOf(alert: StoredAlert, next: Transition, finding: Finding, at: number): StoredChange | null {
    if (next.from === null && !next.notifies) return null;
    const { state: from } = alert.memory;
    const id = this.parts.effects.newId();
    return { id, alertId: alert.id, at, from, to: next.memory.state, ...finding, notified: next.notifies };
  }
}

function checkedBy({ verdict, question, cases, unit }: Evaluated): Checked {
  const { state, ...finding } = verdict;
  return { finding: { ...finding, cases, error: null }, measured: { question, unit }, found: state };
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
