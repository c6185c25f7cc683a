import { withMethods } from '../../../base/shared/with-methods.ts';
import type { SingleExecutions } from '../../executions/store.ts';
import type { ChatRecorder } from './recorder.ts';

/**
 * The store with executions that the recorder has yet to write. A `find` precedes other methods.
 */
export function withRecorded<Store extends SingleExecutions>(
  store: Store,
  recorder: Pick<ChatRecorder, 'settle'>,
): Store {
  const settled: Partial<SingleExecutions> = {
    find: async (tenantId, id) => {
      await recorder.settle(id);
      return store.find(tenantId, id);
    },
    agentOf: async (tenantId, id) => {
      await recorder.settle(id);
      return store.agentOf(tenantId, id);
    },
    isOfAnotherTenant: async (tenantId, id) => {
      await recorder.settle(id);
      return store.isOfAnotherTenant(tenantId, id);
    },
  };
  return withMethods(store, settled as Partial<Store>);
}
