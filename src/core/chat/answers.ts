import { RuntimeError } from '../errors.ts';
import type { ProviderFault, ProviderName } from './provider.ts';

/** Seconds to wait, where a provider is busy and does not say for how long. */
const RETRY_AFTER = 1;

/** What the caller is told of a provider that did not answer. Only what is about the request is said in its own words. */
export function answerOfFault(
  { kind, status, message, retryAfterMs }: Pick<ProviderFault, 'kind' | 'status' | 'message' | 'retryAfterMs'>,
  provider: ProviderName,
): RuntimeError {
  switch (kind) {
    case 'refused': {
      // Without a status it is we who found it, and name the field.
      const text = status === null ? message : `provider: ${provider} refused the request (${status}): ${message}`;
      return new RuntimeError('invalid', text, { messages: [text] });
    }
    case 'credential':
      return upstream(
        `${provider} does not accept the key that is configured for it here. Whoever runs this server must mend that.`,
      );
    case 'rate_limited': {
      const retryAfter = Math.max(RETRY_AFTER, Math.ceil((retryAfterMs ?? 0) / 1_000));
      return new RuntimeError('rate_limited', `${provider} takes no more requests for now. Try again later.`, {
        retryAfter,
      });
    }
    case 'timeout':
      return new RuntimeError('timeout', `${provider} did not answer in time. Try again, or ask for less.`);
    case 'unavailable':
      return upstream(`${provider} fails${status === null ? ' or cannot be reached' : ` (${status})`}. Try again.`);
    case 'broken':
      return upstream(`${provider} did not send a whole answer. Try again.`);
  }
}

function upstream(message: string): RuntimeError {
  return new RuntimeError('upstream', message);
}
