import { z } from 'zod';
import { textSchema } from '../../base/shared/name-schemas.ts';

const text = (maximum: number) =>
  textSchema.min(1, 'must not be empty').max(maximum, `must have at most ${maximum} characters`);

export const reportGapSchema = z.strictObject({
  question: text(1_000).describe('What was asked.'),
  missing: text(1_000).optional().describe('The event, property, metric or document that would answer it.'),
});
export type ReportGap = z.output<typeof reportGapSchema>;
