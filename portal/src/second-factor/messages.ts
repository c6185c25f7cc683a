import { messageOf } from '../api/errors.ts';

/** WebAuthn says by the error's name alone what happened. */
export function messageFor({ name, message }: Pick<Error, 'name' | 'message'>, host = 'another address'): string {
  if (name === 'NotAllowedError') return 'No passkey was given: the request was cancelled, or took too long.';
  if (name === 'InvalidStateError') return 'This device has a passkey of yours already.';
  if (name === 'SecurityError') return `Passkeys work at ${host} alone. Open the portal there.`;
  return `The browser gave no passkey: ${message}`;
}

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
