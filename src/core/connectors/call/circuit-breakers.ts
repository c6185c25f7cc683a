import { LRUCache } from 'lru-cache';
import type { Effects } from '../../shared/effects.ts';

/** Failures one after the other, after which an API is left alone for a while. */
const FAILURES = 5;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** Beyond that, those are forgotten that have failed the longest ago. */
const MAX_CIRCUITS = 10_000;

interface Circuit {
  failures: number;
  /** Until when nobody asks; 0: it is asked as usual. */
  openUntil: number;
  pauseMs: number;
  /** Somebody tries whether it is better. */
  isProbed: boolean;
}

/** An API that fails and fails is not asked for a while: its callers hear so at once, and it has time to recover. */
export class CircuitBreakers {
  private readonly now: Effects['now'];
  /** Circuits with recent failures; the LRU cache evicts the one whose last failure is the oldest. */
  private readonly circuits = new LRUCache<string, Circuit>({ max: MAX_CIRCUITS });

  constructor({ now }: Pick<Effects, 'now'>) {
    this.now = now;
  }

  /** Whether it is left alone at the moment. Nobody who asks this has to try it. */
  isOpen(key: string): boolean {
    const circuit = this.circuits.peek(key);
    return circuit !== undefined && this.leftOf(circuit) > 0;
  }

  /** Milliseconds until it may be asked again; 0: now. Of those who hear 0 after a pause only one does, and has to say how it went. */
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
    const known = this.circuits.peek(key) ?? { failures: 0, openUntil: 0, pauseMs: 0, isProbed: false };
    const failures = known.failures + 1;
    const isOpened = failures >= FAILURES && (known.openUntil === 0 || known.isProbed);
    const pauseMs = Math.min(Math.max(known.pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    const openUntil = this.now() + pauseMs;
    this.circuits.set(key, isOpened ? { failures, pauseMs, openUntil, isProbed: false } : { ...known, failures });
  }

  /** It was not found out how it is: whoever left while they tried it leaves that to the next. */
  cancelProbe(key: string): void {
    const circuit = this.circuits.peek(key);
    if (circuit) circuit.isProbed = false;
  }

  /** Milliseconds of its pause. */
  private leftOf({ openUntil, pauseMs }: Circuit): number {
    const left = openUntil - this.now();
    // A clock that was set back must not make the pause longer than it is.
    return left > pauseMs ? 0 : Math.max(left, 0);
  }
}
