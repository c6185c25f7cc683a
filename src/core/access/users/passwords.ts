import { z } from 'zod';
import { bounded, isPlainText, PLAIN } from './text.ts';

export const passwordSchema = bounded(z.string('must be a string'), 12, 200)
  .refine(isPlainText, PLAIN)
  .describe('12 to 200 characters, and not easy to guess: 422 says why one is.');

export const setPasswordSchema = z.strictObject({ password: passwordSchema });
export type SetPassword = z.output<typeof setPasswordSchema>;

export const changePasswordSchema = z.strictObject({
  currentPassword: z.string('must be a string').min(1, 'must not be empty').describe('The one until now.'),
  password: passwordSchema,
});
export type ChangePassword = z.output<typeof changePasswordSchema>;
