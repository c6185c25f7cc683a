import { RuntimeError } from '../../../core/base/shared/errors.ts';

/** Names a position of a spool. */
export function receiptOf(spoolId: string, position: number): string {
  return Buffer.from(`${spoolId}:${position}`).toString('base64url');
}

/** 0 for the receipt of a replaced spool. Throws `invalid` for a text that is not a receipt. */
export function positionOf(receipt: string, spoolId: string): number {
  const [id, position] = Buffer.from(receipt, 'base64url').toString().split(':');
  if (!id || !/^\d{1,15}$/.test(position ?? '')) {
    throw new RuntimeError(
      'invalid',
      'waitFor: not a receipt; send the `receipt` of an ingest (over REST in the header x-wait-for)',
    );
  }
  // The events of a spool that was replaced, by a backup for example, are in the tables or lost.
  return id === spoolId ? Number(position) : 0;
}

interface Waiter {
  position: number;
  settle: (visible: boolean) => void;
}

/** Calls that wait until the events up to a position are visible. */
export class Waiters {
  private waiting = new Set<Waiter>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  wait(position: number, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.settle(false), timeoutMs);
      const waiter = {
        position,
        settle: (visible: boolean) => {
          clearTimeout(timer);
          this.waiting.delete(waiter);
          resolve(visible);
        },
      };
      this.waiting.add(waiter);
    });
  }

  /** The calls that wait now. What is asked of the spool afterwards answers only them. */
  all(): Waiter[] {
    return [...this.waiting];
  }

  /** No more becomes visible. */
  giveUp(): void {
    for (const { settle } of this.all()) settle(false);
  }
}
