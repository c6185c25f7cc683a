import { RuntimeError } from '../../base/shared/errors.ts';
import type { ProviderFault } from './provider.ts';

/** Seconds. */
const RETRY_AFTER = 1;

/** Quotes the provider only about the request itself. */
export function callerError(
  { kind, status, message, retryAfterMs }: Pick<ProviderFault, 'kind' | 'status' | 'message' | 'retryAfterMs'>,
  name: string,
): RuntimeError {
  switch (kind) {
    case 'refused': {
      // Without a status our own check failed, and the message names the field.
      const text = status === null ? message : `provider: ${name} refused the request (${status}): ${message}`;
      return new RuntimeError('invalid', text, { messages: [text] });
    }
    case 'credential':
      if (status === null) return upstream(`${name} cannot be called: ${message}`);
      return upstream(
        `${name} does not accept the key that is configured for it here. The operator of this server must correct it.`,
      );
    case 'rate_limited': {
      const retryAfter = Math.max(RETRY_AFTER, Math.ceil((retryAfterMs ?? 0) / 1_000));
      return new RuntimeError('rate_limited', `${name} accepts no more requests for now. Try again later.`, {
        retryAfter,
      });
    }
    case 'timeout':
      return new RuntimeError('timeout', `${name} did not answer in time. Try again, or ask for less.`);
    case 'unavailable':
      if (status !== null) return upstream(`${name} failed (${status}). Its message is in the execution. Try again.`);
      return upstream(`${name} does not answer: ${message} Check that it runs and that its baseUrl is right.`);
    case 'broken':
      return upstream(`${name} did not send a whole answer. Try again.`);
  }
}

function upstream(message: string): RuntimeError {
  return new RuntimeError('upstream', message);
}
