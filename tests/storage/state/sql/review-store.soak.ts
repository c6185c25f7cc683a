import { testReviewModel } from '../../../contracts/review-model.ts';
import { reviewBackends } from '../../../support/reviews.ts';

for (const backend of reviewBackends())
  testReviewModel(backend, { seed: Math.floor(Math.random() * 2 ** 31), numRuns: 200 });
