import type { z } from 'zod';

/** In Unicode code points: an emoji counts once. */
export function bounded(schema: z.ZodString, minimum: number, maximum: number) {
  return schema
    .refine((text) => lengthOf(text) >= minimum, `must have at least ${minimum} characters`)
    .refine((text) => lengthOf(text) <= maximum, `must have at most ${maximum} characters`)
    .meta({ minLength: minimum, maxLength: maximum });
}

export const PLAIN = 'must be well-formed Unicode without control characters';

export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

function lengthOf(text: string): number {
  return [...text].length;
}
