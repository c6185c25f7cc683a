import { LRUCache } from 'lru-cache';
import type { Effects } from '../../../base/shared/effects.ts';

/** Consecutive ones, which open a circuit. */
const FAILURES = 5;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const MAX_CIRCUITS = 10_000;

interface Circuit {
  failures: number;
  /** 0: closed. */
  openUntil: number;
  pauseMs: number;
  isProbed: boolean;
}

const CLOSED: Circuit = { failures: 0, openUntil: 0, pauseMs: 0, isProbed: false };

export interface CircuitState {
  /** `half-open`: the next call is the probe. */
  state: 'closed' | 'open' | 'half-open';
  /** Consecutive ones. */
  failures: number;
  retryInMs: number;
}

/** Circuit breakers with one probe after each pause. A failed probe doubles the pause. */
export class CircuitBreakers {
  private readonly now: Effects['now'];
  private readonly circuits = new LRUCache<string, Circuit>({ max: MAX_CIRCUITS });

  constructor({ now }: Pick<Effects, 'now'>) {
    this.now = now;
  }

  isOpen(key: string): boolean {
    return this.look(key).state === 'open';
  }

  /** Unlike `retryIn`, does not make the caller the probe. */
  look(key: string): CircuitState {
    const circuit = this.circuits.peek(key) ?? CLOSED;
    const { failures, openUntil } = circuit;
    const retryInMs = openUntil === 0 ? 0 : this.leftOf(circuit);
    const state = openUntil === 0 ? 'closed' : retryInMs > 0 ? 'open' : 'half-open';
    return { state, failures, retryInMs };
  }

  /** Milliseconds until a call; 0: now. After a pause only one caller gets 0: the probe. */
  retryIn(key: string): number {
    const circuit = this.circuits.peek(key);
    if (!circuit || circuit.openUntil === 0) return 0;
    const left = this.leftOf(circuit);
    if (left > 0) return left;
    if (circuit.isProbed) return FIRST_PAUSE_MS;
    circuit.isProbed = true;
    return 0;
  }

  succeeded(key: string): void {
    this.circuits.delete(key);
  }

  failed(key: string): void {
    const known = this.circuits.peek(key) ?? CLOSED;
    const failures = known.failures + 1;
    const isOpened = failures >= FAILURES && (known.openUntil === 0 || known.isProbed);
    const pauseMs = Math.min(Math.max(known.pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    const openUntil = this.now() + pauseMs;
    this.circuits.set(key, isOpened ? { failures, pauseMs, openUntil, isProbed: false } : { ...known, failures });
  }

  /** The probe ended without a result: the next caller is the probe. */
  cancelProbe(key: string): void {
    const circuit = this.circuits.peek(key);
    if (circuit) circuit.isProbed = false;
  }

  private leftOf({ openUntil, pauseMs }: Circuit): number {
    const left = openUntil - this.now();
    // A clock set back must not lengthen the pause.
    return left > pauseMs ? 0 : Math.max(left, 0);
  }
}
