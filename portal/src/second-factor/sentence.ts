import { messageOf } from '../api/errors.ts';

const NAMES: Record<string, string> = {
  code: 'The code',
  recoveryCode: 'The recovery code',
  passkey: 'The passkey',
  currentPassword: 'The current password',
  password: 'The new password',
  name: 'The name',
};

/** The server's message, with the field's name as people know it: "The code is wrong, or was used already." */
export function sentenceOf(error: unknown): string {
  return messageOf(error).replace(/^(\w+): /, (path, field: string) => (NAMES[field] ? `${NAMES[field]} ` : path));
}
