import type { Rating } from '../../../base/shared/review-fields.ts';
import type { TrainingKind } from '../store.ts';
import type { SkipReason, TrainingFormat } from './schema.ts';
import { readShape, type Shape } from './shape.ts';

/** The answer that a line teaches, or for dpo-jsonl prefers. */
export type Line = 'original' | 'corrected';

/** 0, 1 or 2 lines. Reviews without lines are left out. */
export function linesOf(format: TrainingFormat, kind: TrainingKind): Line[] {
  const found = linesOrReason(format, kind);
  return typeof found === 'string' ? [] : found;
}

/** Why the format leaves such reviews out; null if it does not. */
export function skippedBecause(format: TrainingFormat, kind: TrainingKind): SkipReason | null {
  const found = linesOrReason(format, kind);
  return typeof found === 'string' ? found : null;
}

/** At least one line, or why there is none. */
function linesOrReason(
  format: TrainingFormat,
  { rating, wasCorrected, shape: code }: TrainingKind,
): Line[] | SkipReason {
  if (format === 'openai-conversational') return [wasCorrected ? 'corrected' : 'original'];
  const shape = code === null ? null : readShape(code);
  if (shape === null) return 'not_recorded';
  const refused = faultOf(shape);
  if (refused !== null) return refused;
  switch (format) {
    case 'openai-jsonl':
      if (wasCorrected) return ['corrected'];
      if (rating !== 'good') return 'not_good';
      return hasAnswer(shape) ? ['original'] : 'no_answer';
    case 'dpo-jsonl':
      if (!wasCorrected) return 'not_corrected';
      if (shape.content !== 't') return 'images';
      return hasAnswer(shape) ? ['corrected'] : 'no_answer';
    case 'kto-jsonl':
      return faultForTrl(shape) ?? linesOfKto(rating, wasCorrected, shape);
  }
}

/** The faults that keep a conversation out of every format of lines. */
function faultOf({ end, content, calls }: Shape): SkipReason | null {
  if (end === '-') return 'no_question';
  if (content === 'x') return 'content';
  return calls === 'x' ? 'tool_calls' : null;
}

/** TRL has a column for images, objects as arguments, and needs a user or tool message last. */
function faultForTrl({ end, content, calls }: Shape): SkipReason | null {
  if (end !== 'u') return 'no_question';
  if (content !== 't') return 'images';
  return calls === 'o' ? null : 'arguments';
}

/** An answer that needs improvement is neither desirable nor undesirable. */
function linesOfKto(rating: Rating, wasCorrected: boolean, { answer }: Shape): Line[] | SkipReason {
  const lines: Line[] = [];
  if (rating !== 'needs_improvement' && answer === 'o') lines.push('original');
  if (wasCorrected) lines.push('corrected');
  if (lines.length > 0) return lines;
  if (rating === 'needs_improvement') return 'undecided';
  return answer === 'r' ? 'arguments' : 'no_answer';
}

function hasAnswer({ answer }: Shape): boolean {
  return answer === 'o' || answer === 'r';
}
