import { testExecutionStore } from '../contracts/execution-store.ts';
import { temporaryDirectory } from '../support/app.ts';
import { openReviews } from '../support/reviews.ts';

testExecutionStore({ name: 'SQLite', directory: temporaryDirectory, open: openReviews });
