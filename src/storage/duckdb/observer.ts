import type { StoreNotice } from '../../core/events/store.ts';

/** The moments around each commit, in the order in which an event passes them. A crash at any of them loses nothing. */
export const STAGES = [
  'append:committing',
  'append:committed',
  'flush:committing',
  'flush:committed',
  'discard:committed',
  'sort:committing',
  'sort:committed',
  'merge:committing',
  'merge:committed',
  'shrink:committing',
  'shrink:committed',
  'erase:committing',
  'erase:committed',
  'copy:made',
] as const;
export type Stage = (typeof STAGES)[number];

/** Who wants to know what a store does. */
export interface StoreObserver {
  /** Something failed that no caller waits for, a flush for example. */
  onFault(error: unknown): void;
  onNotice(notice: StoreNotice): void;
  /** For tests that end the process at a chosen moment. */
  onStage(stage: Stage): void;
}

export const NO_OBSERVER: StoreObserver = {
  onFault: () => undefined,
  onNotice: () => undefined,
  onStage: () => undefined,
};
