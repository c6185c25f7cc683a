import type { Rating } from '../../../base/shared/review-fields.ts';
import type { TrainingKind } from '../store.ts';
import type { TrainingFormat } from './schema.ts';
import { readShape, type Shape } from './shape.ts';

/* Sources: OpenAI's fine-tuning schemas and guides, TRL's pages on dataset formats and KTO. */

/** The answer that a line teaches, or for dpo-jsonl prefers. */
export type Line = 'original' | 'corrected';

/** 0, 1 or 2 lines. Reviews without lines are left out. */
export function linesOf(format: TrainingFormat, { rating, wasCorrected, shape: code }: TrainingKind): Line[] {
  if (format === 'openai-conversational') return [wasCorrected ? 'corrected' : 'original'];
  const shape = code === null ? null : readShape(code);
  if (shape === null || !hasPrompt(shape)) return [];
  switch (format) {
    case 'openai-jsonl':
      if (wasCorrected) return ['corrected'];
      return rating === 'good' && hasAnswer(shape) ? ['original'] : [];
    case 'dpo-jsonl':
      return wasCorrected && shape.content === 't' && hasAnswer(shape) ? ['corrected'] : [];
    case 'kto-jsonl':
      return isForTrl(shape) ? linesOfKto(rating, wasCorrected, shape) : [];
  }
}

/** An answer that needs improvement is neither desirable nor undesirable. */
function linesOfKto(rating: Rating, wasCorrected: boolean, { answer }: Shape): Line[] {
  const lines: Line[] = [];
  if (rating !== 'needs_improvement' && answer === 'o') lines.push('original');
  if (wasCorrected) lines.push('corrected');
  return lines;
}

function hasPrompt({ end, content, calls }: Shape): boolean {
  return end !== '-' && content !== 'x' && calls !== 'x';
}

function hasAnswer({ answer }: Shape): boolean {
  return answer === 'o' || answer === 'r';
}

/** TRL has a column for images, objects as arguments, and needs a user or tool message last. */
function isForTrl({ end, content, calls }: Shape): boolean {
  return end === 'u' && content === 't' && calls === 'o';
}
