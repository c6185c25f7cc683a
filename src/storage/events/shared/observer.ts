import type { StoreNotice } from '../../../core/analytics/events/store.ts';

export interface StoreObserver<Stage> {
  /** An error that no caller waits for, of a flush for example. */
  onFault(error: unknown): void;
  onNotice(notice: StoreNotice): void;
  /** For tests that end or hold a process at a chosen moment. */
  onStage(stage: Stage): void | Promise<void>;
}

export const NO_OBSERVER: StoreObserver<unknown> = {
  onFault: () => undefined,
  onNotice: () => undefined,
  onStage: () => undefined,
};
