import { messageOf } from '../api/errors.ts';
import { t } from '../language/index.ts';

/** WebAuthn says by the error's name alone what happened. */
export function messageFor({ name, message }: Pick<Error, 'name' | 'message'>, host = t('another address')): string {
  if (name === 'NotAllowedError') return t('No passkey was given: the request was cancelled, or took too long.');
  if (name === 'InvalidStateError') return t('This device has a passkey of yours already.');
  if (name === 'SecurityError') return t('Passkeys work at {host} alone. Open the portal there.', { host });
  return t('The browser gave no passkey: {message}', { message });
}

const NAMES: Record<string, string> = {
  code: t('The code'),
  recoveryCode: t('The recovery code'),
  passkey: t('The passkey'),
  currentPassword: t('The current password'),
  password: t('The new password'),
  name: t('The name'),
};

/** The server's message, with the field's name as people know it: "The code is wrong, or was used already." */
export function sentenceOf(error: unknown): string {
  const message = messageOf(error);
  const [, path = '', rest = ''] = /^(\w+): (.*)$/s.exec(message) ?? [];
  const field = NAMES[path];
  return field === undefined ? message : t('{field} {message}', { field, message: rest });
}
