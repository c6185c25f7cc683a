import type { DuckDBConnection } from '@duckdb/node-api';
import type { StoreNotice } from '../../../core/analytics/events/store.ts';
import type { OnCommit, Transact } from './transactions.ts';

/** Moments around each commit, in the order of an event. A crash at any loses nothing. */
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
  'erase:committing',
  'erase:committed',
  'copy:made',
  'compact:copied',
  'compact:renamed',
] as const;
export type Stage = (typeof STAGES)[number];

export interface StoreObserver {
  /** An error that no caller waits for, of a flush for example. */
  onFault(error: unknown): void;
  onNotice(notice: StoreNotice): void;
  /** For tests that end the process at a chosen moment. */
  onStage(stage: Stage): void;
}

export type StageObserver = Pick<StoreObserver, 'onStage'>;

export const NO_OBSERVER: StoreObserver = {
  onFault: () => undefined,
  onNotice: () => undefined,
  onStage: () => undefined,
};

export async function observedTransaction<Result>(
  transact: Transact,
  name: 'flush' | 'sort' | 'merge' | 'erase',
  observer: StageObserver,
  use: (connection: DuckDBConnection) => Promise<Result>,
  onCommit?: OnCommit,
): Promise<Result> {
  const result = await transact(async (connection) => {
    const uncommitted = await use(connection);
    observer.onStage(`${name}:committing`);
    return uncommitted;
  }, onCommit);
  observer.onStage(`${name}:committed`);
  return result;
}
