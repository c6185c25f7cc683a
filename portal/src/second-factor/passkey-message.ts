/** WebAuthn says by the error's name alone what happened. */
export function messageFor({ name, message }: Pick<Error, 'name' | 'message'>, host = 'another address'): string {
  if (name === 'NotAllowedError') return 'No passkey was given: the request was cancelled, or took too long.';
  if (name === 'InvalidStateError') return 'This device has a passkey of yours already.';
  if (name === 'SecurityError') return `Passkeys work at ${host} alone. Open the portal there.`;
  return `The browser gave no passkey: ${message}`;
}
