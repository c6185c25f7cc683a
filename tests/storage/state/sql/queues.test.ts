import { SqlAssessmentStore } from '../../../../src/storage/state/sql/assessments/store.ts';
import { SqlExecutionStore } from '../../../../src/storage/state/sql/executions/store.ts';
import { SqlQueueStore } from '../../../../src/storage/state/sql/queues/store.ts';
import { SqlReviewStore } from '../../../../src/storage/state/sql/reviews/store.ts';
import { testQueueFilling } from '../../../contracts/queues/filling.ts';
import { testQueueHands } from '../../../contracts/queues/hands.ts';
import { testQueueRace } from '../../../contracts/queues/race.ts';
import { sharedStates } from '../../../support/state.ts';

for (const { name, place } of sharedStates()) {
  const backend = {
    name,
    place: async (t: Parameters<typeof place>[0]) => {
      const open = await place(t);
      return async () => {
        const database = await open();
        return {
          executions: new SqlExecutionStore(database),
          reviews: new SqlReviewStore(database, database),
          assessments: new SqlAssessmentStore(database, database),
          queues: new SqlQueueStore(database),
        };
      };
    },
  };
  testQueueHands(backend);
  testQueueFilling(backend);
  testQueueRace(backend);
}
