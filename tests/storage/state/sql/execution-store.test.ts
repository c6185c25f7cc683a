import { testRecordedChats } from '../../../contracts/execution-chats.ts';
import { testExecutionStore } from '../../../contracts/execution-store.ts';
import { reviewBackends } from '../../../support/reviews.ts';

for (const backend of reviewBackends()) {
  testExecutionStore(backend);
  testRecordedChats(backend);
}
