import { testRecordedChats } from '../../contracts/execution-chats.ts';
import { type ExecutionBackend, testExecutionStore } from '../../contracts/execution-store.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { openReviews } from '../../support/reviews.ts';

const backend: ExecutionBackend = { name: 'SQLite', directory: temporaryDirectory, open: openReviews };

testExecutionStore(backend);
testRecordedChats(backend);
