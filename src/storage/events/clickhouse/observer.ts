import type { StoreObserver } from '../shared/observer.ts';

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

export type ClickhouseObserver = StoreObserver<Stage>;
