import type { StoreNotice } from '../../../core/analytics/events/store.ts';

/** Moments around each commit, in the order of an event. A crash at any loses nothing. */
export const STAGES = [
  'append:committed',
  'flush:marked',
  'flush:inserted',
  'flush:done',
  'remove:begun',
  'remove:mutated',
  'remove:done',
] as const;
export type Stage = (typeof STAGES)[number];

export interface StoreObserver {
  /** An error that no caller waits for, of a flush for example. */
  onFault(error: unknown): void;
  onNotice(notice: StoreNotice): void;
  /** For tests that end or hold a node at a chosen moment. */
  onStage(stage: Stage): void | Promise<void>;
}

export const NO_OBSERVER: StoreObserver = {
  onFault: () => undefined,
  onNotice: () => undefined,
  onStage: () => undefined,
};
