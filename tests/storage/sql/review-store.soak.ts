import { testReviewModel } from '../../contracts/review-model.ts';
import { REVIEW_BACKEND } from '../../support/reviews.ts';

testReviewModel(REVIEW_BACKEND, { seed: Math.floor(Math.random() * 2 ** 31), numRuns: 200 });
