import { testReviewModel } from '../../contracts/review-model.ts';
import { testReviewQuestions } from '../../contracts/review-questions.ts';
import { testReviewStore } from '../../contracts/review-store.ts';
import { REVIEW_BACKEND } from '../../support/reviews.ts';

testReviewStore(REVIEW_BACKEND);
testReviewQuestions(REVIEW_BACKEND);
/** A fixed seed; the soak test uses random ones, and more. */
testReviewModel(REVIEW_BACKEND, { seed: 20_260_401, numRuns: 6 });
