import type { KnowledgeStore } from '../../../core/knowledge/store.ts';
import { documentMethods } from './documents.ts';
import type { RowsEngine } from './engine.ts';
import { jobMethods } from './jobs.ts';
import { leaseMethods } from './leases.ts';
import { StoreRemoval } from './removal.ts';
import { storeMethods } from './stores.ts';
import { type Step, Upkeep } from './upkeep.ts';

/** The methods that need no index of words and vectors. */
export type RowsStore = Omit<KnowledgeStore, 'search'>;

export interface RowsOptions {
  /** A fault of work behind the scenes. */
  onFault: (error: unknown) => void;
  /** A step of removal, around the one of rows. */
  removal?: (rows: Step) => Step;
  /** Work that is looked for at opening and from time to time. */
  others?: Step[];
}

export function openRows(
  engine: RowsEngine,
  { onFault, removal: around = (rows) => rows, others = [] }: RowsOptions,
): { store: RowsStore; upkeep: Upkeep } {
  const removal = new StoreRemoval(engine);
  const upkeep = new Upkeep({
    removal: { step: around(() => removal.step()), isPending: () => removal.isPending() },
    others,
    onFault,
  });
  const { cancelJob, restart, complete, fail, claim, ...leases } = leaseMethods(engine);
  const { deleteDocument, erase, ...documents } = documentMethods(engine);
  const { dropStore, ...stores } = storeMethods(engine);
  const removing =
    <Args extends unknown[], Result>(change: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await change(...args);
      upkeep.removeSoon();
      return result;
    };
  const store: RowsStore = {
    ...{ ...jobMethods(engine), ...leases, ...documents, ...stores },
    knownUnits: (lease, units) => engine.knownUnits(lease, units),
    claim: (request) => {
      removal.now = request.now;
      return claim(request);
    },
    cancelJob: removing(cancelJob),
    restart: removing(restart),
    complete: removing(complete),
    fail: removing(fail),
    dropStore: removing(dropStore),
    deleteDocument: removing(deleteDocument),
    erase: removing(erase),
    settle: () => upkeep.settle(),
    close: () => upkeep.close(),
  };
  return { store, upkeep };
}
