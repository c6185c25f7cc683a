import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { RuntimeError } from '../../base/shared/errors.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { NewDelivery } from '../deliveries/store.ts';
import { nextRun } from '../schedules/cron.ts';
import { type Checkable, isUnavailable, MAX_WAIT_MS, scheduledCaller } from '../schedules/scheduled-service.ts';
import { type Evaluated, type EvaluateParts, evaluate } from './evaluate.ts';
import { type AlertNotice, alertMessage } from './message.ts';
import { type AlertFinding, type AlertStore, NO_FINDING, type StoredAlert, type StoredChange } from './store.ts';
import { type CheckedState, type Transition, transition } from './transition.ts';

export interface CheckerParts extends EvaluateParts {
  store: Pick<AlertStore, 'settle'>;
  deliveries: Pick<Deliveries, 'openTargets' | 'prepare' | 'requireRoom' | 'wake'>;
  effects: Effects;
  /** The URL of a page of the portal; null: this server has no public URL. */
  portalUrl(path: string): string | null;
  /** There are changes that are not events yet. */
  onChange(): void;
  onError(error: unknown, alertId: string): void;
}

type CheckOutcome = Pick<AlertNotice, 'finding' | 'measured'> & { found: CheckedState };

/** A failed check is repeated soon, so that an alert by days is known to fail on the same day. */
const AFTER_FAILURE_MS = 300_000;
const INTERNAL = 'An internal error; see the log of the server.';

/** Checks an alert, and commits its state together with the messages about it. */
export class AlertChecker {
  private readonly parts: CheckerParts;

  constructor(parts: CheckerParts) {
    this.parts = parts;
  }

  /**
   * Rejects without storing anything if the server is overloaded or stopping; the alert stays due.
   */
  async check(alert: StoredAlert, signal: AbortSignal): Promise<void> {
    const { store, deliveries, effects } = this.parts;
    const { finding, measured, found } = await this.evaluate(alert, signal);
    const { every, timezone, cooldown } = alert.definition;
    const at = effects.now();
    const wanted = transition(alert.memory, found, at, cooldown * 1_000);
    const from = wanted.from ?? alert.memory.state;
    const notice: AlertNotice = { ...alert, state: wanted.memory.state, from, finding, measured, at };
    const { next, messages, problem } = await this.deliverable(alert, wanted, notice);
    const error = finding.error ?? problem;
    const scheduled = nextRun(every, timezone, at);
    const change = this.changeOf(alert, next, { ...finding, error, at, notified: messages.length > 0 });
    const isSettled = await store.settle(alert, {
      memory: next.memory,
      lastCheck: { at, ...finding, error },
      nextDue: found === 'failed' ? earliest(scheduled, at + AFTER_FAILURE_MS) : scheduled,
      change,
      deliveries: messages,
    });
    if (!isSettled) return;
    if (messages.length > 0) deliveries.wake();
    if (change) this.parts.onChange();
  }

  /**
   * If the key of the targets is lost, the tenant has sent too much, or the message has a defect,
   * none is sent now, and the problem is told; a later check sends it.
   */
  private async deliverable(
    alert: StoredAlert,
    next: Transition,
    notice: AlertNotice,
  ): Promise<{ next: Transition; messages: NewDelivery[]; problem: string | null }> {
    if (!next.notifies) return { next, messages: [], problem: null };
    const { id, tenantId, memory } = alert;
    try {
      const messages = await this.messages(alert, notice);
      await this.parts.deliveries.requireRoom(tenantId, messages);
      return { next, messages, problem: null };
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.parts.onError(error, id);
      const { notified, notifiedAt } = memory;
      const reason = error instanceof RuntimeError ? error.message : INTERNAL;
      return {
        next: { ...next, memory: { ...next.memory, notified, notifiedAt }, notifies: false },
        messages: [],
        problem: `No message was sent: ${reason}`,
      };
    }
  }

  /** Checks the alert now, without settling it. */
  async evaluate(alert: StoredAlert, signal: AbortSignal | undefined): Promise<CheckOutcome> {
    const options = {
      now: this.parts.effects.now(),
      isAlerting: alert.memory.state === 'alerting',
      signal,
      isComplete: true,
    };
    try {
      return checkedBy(await evaluate(this.parts, callerOfAlert(alert), alert.definition, options));
    } catch (error) {
      signal?.throwIfAborted();
      // A server that is overloaded for a short time, or stopping, says nothing about the alert.
      if (isUnavailable(error) && options.now - (alert.nextDue ?? options.now) <= MAX_WAIT_MS) throw error;
      if (!(error instanceof RuntimeError)) this.parts.onError(error, alert.id);
      const reason = error instanceof RuntimeError ? error.message : INTERNAL;
      return { finding: { ...NO_FINDING, error: reason }, measured: null, found: 'failed' };
    }
  }

  /** A message for each target. */
  async messages(alert: StoredAlert, notice: AlertNotice): Promise<NewDelivery[]> {
    const { deliveries, portalUrl } = this.parts;
    const { tenantId, sealedTargets } = alert;
    const source = { kind: 'alert', id: alert.id } as const;
    const targets = deliveries.openTargets(tenantId, source, sealedTargets);
    return deliveries.prepare(tenantId, source, { targets, message: alertMessage(notice, portalUrl) });
  }

  private changeOf(
    { id: alertId, memory: { state: from } }: StoredAlert,
    next: Transition,
    found: AlertFinding & Pick<StoredChange, 'at' | 'notified'>,
  ): StoredChange | null {
    if (next.from === null && !found.notified) return null;
    return { id: this.parts.effects.newId(), alertId, from, to: next.memory.state, ...found };
  }
}

function earliest(one: number | null, other: number): number | null {
  return one === null ? null : Math.min(one, other);
}

function checkedBy({ verdict, question, cases, unit }: Evaluated): CheckOutcome {
  const { state, ...finding } = verdict;
  return { finding: { ...finding, cases, error: null }, measured: { question, unit }, found: state };
}

/** It may read whatever the alert asks for. */
export function callerOfAlert(alert: Checkable<StoredAlert>): Caller {
  return scheduledCaller('alert', alert, ['events:read', 'dashboards:read', 'reviews:read']);
}
