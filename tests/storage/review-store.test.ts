import { testReviewModel } from '../contracts/review-model.ts';
import { testReviewQuestions } from '../contracts/review-questions.ts';
import { testReviewStore } from '../contracts/review-store.ts';
import type { ReviewBackend } from '../contracts/reviews.ts';
import { temporaryDirectory } from '../support/app.ts';
import { openReviews } from '../support/reviews.ts';

const backend: ReviewBackend = { name: 'SQLite', directory: temporaryDirectory, open: openReviews };

testReviewStore(backend);
testReviewQuestions(backend);
testReviewModel(backend, { seed: 20_260_401, numRuns: 15 });
