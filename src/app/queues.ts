import type { ExecutionListService } from '../core/agents/executions/list.ts';
import { QueueFilling } from '../core/agents/queues/filling.ts';
import { QueueHandService } from '../core/agents/queues/hands.ts';
import { Outcomes } from '../core/agents/queues/outcomes.ts';
import { QueueService } from '../core/agents/queues/service.ts';
import type { OpenStores } from './open-stores.ts';

export function openQueues(
  { queueStore: store, rubricStore, eventStore, userStore, audit, effects, log }: OpenStores,
  lists: ExecutionListService,
) {
  const filling = new QueueFilling({
    ...{ store, effects },
    filterOf: (caller, filters) => lists.filterOf(caller, filters),
    outcomes: new Outcomes(eventStore),
    onError: (error) => log.error({ err: error }, 'queues could not be filled'),
  });
  const queues = new QueueService({
    ...{ store, filling, users: userStore, audit, effects },
    checkFilters: (caller, filters) => void lists.filterOf(caller, filters),
    rubrics: { exists: async (tenantId, name) => (await rubricStore.find(tenantId, name)) !== null },
  });
  const queueHands = new QueueHandService({ store, queues, filling, effects });
  return { queues, queueHands, close: () => filling.close() };
}
