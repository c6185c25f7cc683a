import type { DuckDBConnection } from '@duckdb/node-api';
import type { StoreObserver } from '../shared/observer.ts';
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

export type DuckdbObserver = StoreObserver<Stage>;
export type StageObserver = Pick<DuckdbObserver, 'onStage'>;

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
