import { testReviewModel } from '../../../contracts/review-model.ts';
import { testReviewQuestions } from '../../../contracts/review-questions.ts';
import { testReviewStore } from '../../../contracts/review-store.ts';
import { reviewBackends } from '../../../support/reviews.ts';

for (const backend of reviewBackends()) {
  testReviewStore(backend);
  testReviewQuestions(backend);
  /** A fixed seed; the soak test uses random ones, and more. */
  testReviewModel(backend, { seed: 20_260_401, numRuns: backend.name === 'SQLite' ? 3 : 1 });
}
