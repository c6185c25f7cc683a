import { decimal } from '../../analytics/events/decimals.ts';
import { TimeSlices } from '../../base/concurrency/time-slices.ts';
import { type RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import { bootstrapInterval } from './bootstrap.ts';
import { kappaOf, nominal, quadratic, Tally } from './kappa.ts';
import { type RubricQuestion, SCALE } from './rubric-schema.ts';
import { type Answers, INTERVAL, type QuestionAgreement } from './schema.ts';
import type { AnswersFilter, AssessmentStore, PersonsAnswers } from './store.ts';

const PAGE = 250;
/** Reading them takes some seconds. */
export const MAX_READ_TOGETHER = 100_000;

/** The agreement of people on each question but those of the type text. */
export async function agreementOn(
  questions: readonly RubricQuestion[],
  {
    store,
    tenantId,
    filter,
    signal,
  }: { store: AssessmentStore; tenantId: string; filter: AnswersFilter; signal: AbortSignal },
): Promise<QuestionAgreement[]> {
  const slices = new TimeSlices();
  const pause = async () => {
    signal.throwIfAborted();
    await slices.pause();
  };
  const compared = questions.filter(({ type }) => type !== 'text').map((question) => new Compared(question));
  for await (const item of itemsOf(store, tenantId, filter, pause)) {
    for (const question of compared) question.add(item);
  }
  const agreements: QuestionAgreement[] = [];
  for (const question of compared) agreements.push(await question.agreement(pause));
  return agreements;
}

interface GivenAnswers {
  assessorId: string;
  answers: Answers;
}

/** The answers to one execution after the other. */
async function* itemsOf(
  store: AssessmentStore,
  tenantId: string,
  filter: AnswersFilter,
  pause: () => Promise<void>,
): AsyncGenerator<GivenAnswers[]> {
  let after: PersonsAnswers | null = null;
  let item: GivenAnswers[] = [];
  for (let read = 0; ; read += PAGE) {
    if (read > MAX_READ_TOGETHER) throw tooManyToCompare();
    const page: PersonsAnswers[] = await store.answersPage(tenantId, filter, after, PAGE);
    for (const one of page) {
      if (after && one.executionId !== after.executionId) {
        yield item;
        item = [];
      }
      item.push({ assessorId: one.assessorId, answers: JSON.parse(one.answers) as Answers });
      after = one;
      await pause();
    }
    if (page.length < PAGE) break;
  }
  yield item;
}

class Compared {
  private readonly question: RubricQuestion;
  /** The index of a category by its answer. */
  private readonly categories: ReadonlyMap<Answers[string], number>;
  private readonly tally: Tally;

  constructor(question: RubricQuestion) {
    this.question = question;
    this.categories = new Map(categoriesOf(question).map((category, index) => [category, index]));
    this.tally = new Tally(this.weight);
  }

  add(item: readonly GivenAnswers[]): void {
    const { id } = this.question;
    const answers = new Map<string, number>();
    for (const { assessorId, answers: given } of item) {
      const category = Object.hasOwn(given, id) ? this.categories.get(given[id]!) : undefined;
      if (category !== undefined) answers.set(assessorId, category);
    }
    this.tally.add(answers);
  }

  async agreement(pause: () => Promise<void>): Promise<QuestionAgreement> {
    const { patterns, coefficient, items, assessors, raw, chosen } = this.tally.result();
    const shown = { id: this.question.id, items, assessors, raw: raw === null ? null : decimal(raw) };
    if (items < 2 || chosen < 2) return { ...shown, kappa: null, low: null, high: null, method: null };
    const weighed = { patterns, coefficient, categories: this.categories.size, weight: this.weight };
    const kappa = (times: ArrayLike<number>) => kappaOf(weighed, times);
    const times = patterns.map((pattern) => pattern.times);
    const value = kappa(times);
    const found = await bootstrapInterval(times, kappa, pause);
    // Rounds hardly reach a kappa at the end of its range, such as -1.
    const [low, high] = [Math.min(found.low, value), Math.max(found.high, value)];
    const name = this.isScale ? (`${coefficient}-quadratic` as const) : coefficient;
    const rounded = { kappa: decimal(value, 1), low: decimal(low, 1), high: decimal(high, 1) };
    return { ...shown, ...rounded, method: `${name}, ${INTERVAL}` };
  }

  private get weight() {
    return this.isScale ? quadratic(this.categories.size) : nominal;
  }

  private get isScale(): boolean {
    return this.question.type === 'scale';
  }
}

function categoriesOf({ type, choices = [] }: RubricQuestion): Answers[string][] {
  if (type === 'boolean') return [false, true];
  if (type === 'choice') return choices;
  return Array.from({ length: SCALE.most - SCALE.least + 1 }, (_, index) => SCALE.least + index);
}

function tooManyToCompare(): RuntimeError {
  return unprocessable(
    `More than ${MAX_READ_TOGETHER.toLocaleString('en')} assessments match; ask for fewer by dateFrom and dateTo.`,
  );
}
