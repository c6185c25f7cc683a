import { z } from 'zod';
import { RuntimeError } from '../errors.ts';
import { bounded, isPlainText, PLAIN } from './text.ts';

/** Those of twelve characters and more that head every list of passwords found in the open. */
const COMMON = new Set(
  `password1234 password12345 password123456 passwordpassword 123456789012 1234567890123 12345678901234 123456789012345
   1234567890123456 111111111111 000000000000 123123123123 123456123456 1q2w3e4r5t6y 1qaz2wsx3edc qwertyuiop12
   qwertyuiop123 qwertyuiopas qwertyuiop[] qwerty123456 qwertyqwerty abcdefghijkl abc123abc123 iloveyou1234
   iloveyouiloveyou administrator administrator1 changeme1234 changemechangeme letmein12345 welcome12345
   correcthorsebatterystaple`.split(/\s+/),
);

export const passwordSchema = bounded(z.string('must be a string'), 12, 200)
  .refine(isPlainText, PLAIN)
  .refine((text) => !COMMON.has(text.toLowerCase()), 'is one of the first that anybody tries; choose another')
  .describe('12 to 200 characters.');

export const setPasswordSchema = z.strictObject({ password: passwordSchema });
export type SetPassword = z.output<typeof setPasswordSchema>;

export const changePasswordSchema = z.strictObject({
  currentPassword: z.string('must be a string').min(1, 'must not be empty').describe('The one until now.'),
  password: passwordSchema,
});
export type ChangePassword = z.output<typeof changePasswordSchema>;

/** Throws `unprocessable` for a password that stands beside it on every letter: the e-mail, its first part, the name. */
export function refusePersonal(password: string, { email, name }: { email: string; name: string }): void {
  const known = [email, email.split('@', 1)[0], name].map((text) => text?.toLowerCase());
  if (!known.includes(password.toLowerCase())) return;
  throw new RuntimeError('unprocessable', 'password: is the e-mail or the name of the user; choose another');
}
