import { answerOf, client } from '../../../api/client.ts';
import { statusOf } from '../../../api/errors.ts';
import { t } from '../../../language/index.ts';
import {
  ASSESSMENTS,
  type Assessment,
  REVIEW,
  REVIEWS_OF_ONE,
  type Review,
  type Rubric,
  readReview,
  reviewOf,
} from '../api.ts';
import { changesOf, createdFrom, formOf, type ReviewForm, undoneBy } from './form.ts';
import { answersIn, type RubricForm } from './rubric.ts';

type Undo = () => Promise<void>;

/** Somebody else has written or changed the review meanwhile. */
export class Conflict extends Error {
  readonly theirs: Review;

  constructor(theirs: Review) {
    super(t('Somebody else has reviewed this execution meanwhile.'));
    this.theirs = theirs;
  }
}

interface ReviewToSave {
  executionId: string;
  /** The review as this person knows it; null: there was none. */
  known: Review | null;
  form: ReviewForm;
  /** The form as it began. */
  start: ReviewForm;
  /** The answer of the agent. */
  answer: string;
  /** Hears of each review that the server has stored: a second try goes on from there. */
  onStored(review: Review): void;
}

/** Creates the review, or changes what was edited. Throws `Conflict`. */
export async function saveReview({ executionId, known, form, start, answer, onStored }: ReviewToSave): Promise<Undo> {
  if (known === null) {
    const created = await create(executionId, form);
    onStored(created);
    const rest = changesOf(form, formOf(created), answer);
    const last = rest === null ? created : await change(created.id, rest);
    onStored(last);
    return () =>
      unlessChanged(last, () => answerOf(client.DELETE(REVIEW, { params: { path: { reviewId: last.id } } })));
  }
  const changes = changesOf(form, start, answer);
  if (changes === null) return async () => undefined;
  const current = await unlessGone(readReview(known.id));
  if (current === null) return saveReview({ executionId, known: null, form, start, answer, onStored });
  if (current.updatedAt !== known.updatedAt) throw new Conflict(current);
  const last = await change(known.id, changes);
  onStored(last);
  return () => unlessChanged(last, () => change(last.id, undoneBy(changes, current)));
}

async function create(executionId: string, form: ReviewForm): Promise<Review> {
  try {
    const body = createdFrom(form);
    return await answerOf(client.POST(REVIEWS_OF_ONE, { params: { path: { executionId } }, body }));
  } catch (error) {
    const theirs = statusOf(error) === 409 ? await reviewOf(executionId) : null;
    throw theirs === null ? error : new Conflict(theirs);
  }
}

/** Null for a review that somebody has deleted. */
async function unlessGone(reading: Promise<Review>): Promise<Review | null> {
  try {
    return await reading;
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    return null;
  }
}

function change(reviewId: string, body: NonNullable<ReturnType<typeof changesOf>>): Promise<Review> {
  return answerOf(client.PATCH(REVIEW, { params: { path: { reviewId } }, body }));
}

/** Whoever has changed the review since keeps what they wrote. */
async function unlessChanged({ id, updatedAt }: Review, undo: () => Promise<unknown>): Promise<void> {
  const current = await unlessGone(readReview(id));
  if (current === null) return;
  if (current.updatedAt !== updatedAt) throw new Error(t('Somebody has changed the review since: it stays.'));
  await undo();
}

/** Sends the answers to a rubric; `before` are the person's earlier ones. */
export async function saveAnswers(
  executionId: string,
  rubric: Rubric,
  form: RubricForm,
  before: Assessment | null,
): Promise<Undo> {
  const params = { path: { executionId } };
  const send = (body: Parameters<typeof bodyOf>) => client.POST(ASSESSMENTS, { params, body: bodyOf(...body) });
  const { id } = await answerOf(send([rubric, answersIn(rubric.questions, form), form.comment]));
  return async () => {
    const path = { executionId, assessmentId: id };
    if (before === null) await answerOf(client.DELETE(`${ASSESSMENTS}/{assessmentId}`, { params: { path } }));
    else await answerOf(send([{ name: before.rubric, version: before.version }, before.answers, before.comment ?? '']));
  };
}

function bodyOf({ name, version }: Pick<Rubric, 'name' | 'version'>, answers: Assessment['answers'], comment: string) {
  return { rubric: `${name}@${version}`, answers, comment: comment.trim() || null };
}
