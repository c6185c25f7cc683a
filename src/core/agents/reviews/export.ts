import { formatUtc } from '../../base/time/time.ts';
import { withAssessments } from '../assessments/exported.ts';
import type { ExportedAssessment } from '../assessments/schema.ts';
import type { AssessmentStore } from '../assessments/store.ts';
import { contentOf } from '../executions/store.ts';
import type { ReviewedExecution, ReviewFilter, ReviewStore, TrainingCount, TrainingKind } from './store.ts';
import { examplesOf } from './training/examples.ts';
import { linesOf, skippedBecause } from './training/lines.ts';
import {
  SKIP_REASONS,
  type SkipReason,
  TRAINING_FORMATS,
  type TrainingCounts,
  type TrainingFormat,
} from './training/schema.ts';
import type { ReviewedAnswer } from './training/shape.ts';

/** Streams: holds one page of reviews at a time. */
export interface TrainingExport {
  format: TrainingFormat;
  /** Reviews that the format cannot express. */
  skipped: number;
  chunks: AsyncGenerator<string>;
}

interface TrainingQuestion {
  filter: ReviewFilter;
  format: TrainingFormat;
  now: number;
  /** Adds them to the examples of a format with metadata. */
  assessments?: Pick<AssessmentStore, 'countsOf' | 'ofExecutions'>;
}

export async function exportTraining(
  store: ReviewStore,
  tenantId: string,
  { filter, format, now, assessments }: TrainingQuestion,
): Promise<TrainingExport> {
  if (format === 'openai-conversational') {
    const pages = reviewPages(store, tenantId, filter);
    const groups = assessments ? assessedPages(pages, assessments, tenantId) : pages;
    return { format, skipped: 0, chunks: documentOf(examplesIn(groups, format), format, now) };
  }
  // Counts need no content, so that none is read before the response begins.
  const counts = await store.trainingCounts(tenantId, filter);
  const isExpressed = (kind: TrainingKind) => linesOf(format, kind).length > 0;
  const skipped = counts.reduce((sum, count) => sum + (isExpressed(count) ? 0 : count.reviews), 0);
  const pages = reviewPages(store, tenantId, filter, counts.filter(isExpressed));
  return { format, skipped, chunks: jsonLines(examplesIn(pages, format)) };
}

/** Counts what the export of each format would have, without reading a conversation. */
export async function countTraining(
  store: ReviewStore,
  tenantId: string,
  filter: ReviewFilter,
): Promise<TrainingCounts> {
  const counts = await store.trainingCounts(tenantId, filter);
  return {
    reviews: counts.reduce((sum, { reviews }) => sum + reviews, 0),
    formats: TRAINING_FORMATS.map((format) => ({ format, ...countsOf(format, counts) })),
  };
}

function countsOf(format: TrainingFormat, counts: readonly TrainingCount[]) {
  const lines = counts.reduce((sum, count) => sum + linesOf(format, count).length * count.reviews, 0);
  const left = new Map<SkipReason, number>();
  for (const count of counts) {
    const reason = skippedBecause(format, count);
    if (reason !== null) left.set(reason, (left.get(reason) ?? 0) + count.reviews);
  }
  const reasons = [...left]
    .map(([reason, reviews]) => ({ reason, words: SKIP_REASONS[reason], reviews }))
    .sort((one, other) => other.reviews - one.reviews || one.reason.localeCompare(other.reason));
  return { lines, skipped: reasons.reduce((sum, { reviews }) => sum + reviews, 0), reasons };
}

/** Reads the next page while the current one is written. */
async function* reviewPages(
  store: ReviewStore,
  tenantId: string,
  filter: ReviewFilter,
  kinds?: readonly TrainingKind[],
): AsyncGenerator<AssessedExecution[]> {
  let reading = store.trainingPage(tenantId, filter, 0, kinds);
  for (;;) {
    const page = await reading;
    const last = page.at(-1);
    if (!last) return;
    reading = store.trainingPage(tenantId, filter, last.number, kinds);
    // The reader may stop before it is awaited.
    reading.catch(() => undefined);
    yield page;
  }
}

interface AssessedExecution extends ReviewedExecution {
  assessments?: ExportedAssessment[];
}

async function* assessedPages(
  pages: AsyncGenerator<ReviewedExecution[]>,
  assessments: Pick<AssessmentStore, 'countsOf' | 'ofExecutions'>,
  tenantId: string,
): AsyncGenerator<AssessedExecution[]> {
  for await (const page of pages) yield* withAssessments(assessments, tenantId, page);
}

async function* examplesIn(
  pages: AsyncGenerator<AssessedExecution[]>,
  format: TrainingFormat,
): AsyncGenerator<string[]> {
  for await (const page of pages) {
    const examples = page.flatMap((review) => examplesOf(format, answerOf(review)));
    if (examples.length > 0) yield examples.map((example) => JSON.stringify(example));
  }
}

function answerOf({ id, content, number: _, ...review }: AssessedExecution): ReviewedAnswer {
  return { reviewId: id, ...review, conversation: content && contentOf(content) };
}

async function* jsonLines(pages: AsyncGenerator<string[]>): AsyncGenerator<string> {
  for await (const examples of pages) yield `${examples.join('\n')}\n`;
}

/** Starts with the first page, so that an error before it still gets a status. */
async function* documentOf(pages: AsyncGenerator<string[]>, format: string, now: number): AsyncGenerator<string> {
  const head = `{"format":${JSON.stringify(format)},"generated_at":"${formatUtc(now)}","training_examples":[`;
  let total = 0;
  for await (const examples of pages) {
    yield `${total === 0 ? head : ','}${examples.join(',')}`;
    total += examples.length;
  }
  yield `${total === 0 ? head : ''}],"total":${total}}`;
}
