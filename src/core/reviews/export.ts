import { formatUtc } from '../events/time.ts';
import { contentOf } from '../executions/content.ts';
import type { ReviewedExecution, ReviewFilter, ReviewStore } from './store.ts';
import { examplesOf } from './training/examples.ts';
import { linesExpressed } from './training/expressible.ts';
import type { TrainingFormat } from './training/schema.ts';

/** A training export, made while it is read: it holds one page of reviews at a time, however many there are. */
export interface TrainingExport {
  format: TrainingFormat;
  /** Reviews that the format cannot express, and that are left out. */
  skipped: number;
  /** One JSON document, or one line for each example. */
  chunks: AsyncGenerator<string>;
}

/** Reviews as fine-tuning examples, in the order of their creation. */
export async function exportTraining(
  store: ReviewStore,
  tenantId: string,
  { filter, format, now }: { filter: ReviewFilter; format: TrainingFormat; now: number },
): Promise<TrainingExport> {
  const isDocument = format === 'openai-conversational';
  const skipped = isDocument ? 0 : await countSkipped(store, tenantId, filter, format);
  const pages = examplePages(store, tenantId, filter, format);
  return { format, skipped, chunks: isDocument ? documentOf(pages, format, now) : linesOf(pages) };
}

/** Told by what reviews are alike in, so that nothing of them is read before the first byte is sent. */
async function countSkipped(
  store: ReviewStore,
  tenantId: string,
  filter: ReviewFilter,
  format: TrainingFormat,
): Promise<number> {
  const counts = await store.trainingCounts(tenantId, filter);
  return counts.reduce((sum, { reviews, ...facts }) => sum + (linesExpressed(format, facts) === 0 ? reviews : 0), 0);
}

/** JSON texts of examples. */
async function* examplePages(
  store: ReviewStore,
  tenantId: string,
  filter: ReviewFilter,
  format: TrainingFormat,
): AsyncGenerator<string[]> {
  let after = 0;
  for (;;) {
    const page = await store.trainingPage(tenantId, filter, after);
    const last = page.at(-1);
    if (!last) return;
    after = last.number;
    const examples = page.flatMap((review) => examplesOf(format, answerOf(review)));
    if (examples.length > 0) yield examples.map((example) => JSON.stringify(example));
  }
}

function answerOf({ id, executionId, rating, correctedOutput, content }: ReviewedExecution) {
  return { reviewId: id, executionId, rating, correctedOutput, conversation: content && contentOf(content) };
}

async function* linesOf(pages: AsyncGenerator<string[]>): AsyncGenerator<string> {
  for await (const examples of pages) yield `${examples.join('\n')}\n`;
}

/** What is known only at the end stands at the end; it begins with the first page, so that until then it can still be refused. */
async function* documentOf(pages: AsyncGenerator<string[]>, format: string, now: number): AsyncGenerator<string> {
  const head = `{"format":${JSON.stringify(format)},"generated_at":"${formatUtc(now)}","training_examples":[`;
  let total = 0;
  for await (const examples of pages) {
    yield `${total === 0 ? head : ','}${examples.join(',')}`;
    total += examples.length;
  }
  yield `${total === 0 ? head : ''}],"total":${total}}`;
}
