import type { Connection, ProviderFault } from '../../core/agents/chat/provider.ts';
import { redactSecrets } from '../../core/agents/chat/recording/secrets.ts';
import { KEY_VARIABLES } from '../../core/agents/providers/environment.ts';
import { RuntimeError } from '../../core/base/shared/errors.ts';

const UNAUTHORIZED = 401;

export function operatorError(fault: ProviderFault, name: string, connection: Connection): RuntimeError {
  const message = `${name} made no vectors: ${reasonOf(fault, connection)} ${remedyFor(fault, connection)}`;
  return new RuntimeError('upstream', message.trim());
}

function reasonOf({ kind, status, message }: ProviderFault, connection: Connection): string {
  // Vendors quote half of a key that they refuse.
  if (kind === 'credential' && status === UNAUTHORIZED) return 'It does not accept the key (401).';
  const words = redactSecrets(message, connection).replace(/(?<![.!?])$/, '.');
  return status === null || status < 400 ? words : `It answered ${status}: ${words}`;
}

function remedyFor({ kind, status }: ProviderFault, connection: Connection): string {
  switch (kind) {
    case 'credential':
      return `${keyRemedy(connection)}.`;
    case 'rate_limited':
      return 'Try again later, or raise the limits of its account.';
    case 'refused':
      // A request refused before it was sent says itself what to do.
      if (status === null) return '';
      return 'Check the name of the model and the dimensions.';
    case 'broken':
      return 'Check the address, the name of the model and the dimensions.';
    case 'unavailable':
    case 'timeout':
      return 'Check that its server runs and can be reached, and try again.';
  }
}

export function keyRemedy({ provider }: Pick<Connection, 'provider'>): string {
  if (provider === 'custom') return 'Give its connection an API key that may use the model';
  return `Set ${KEY_VARIABLES[provider].join(' or ')} to a key that may use the model`;
}
