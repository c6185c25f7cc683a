import { type FaultKind, ProviderFault } from '../../core/agents/chat/provider.ts';
import { faultOfStatus, shortMessage } from '../shared/faults.ts';
import { faultOfSdk, messageOf } from '../shared/sdk-requests.ts';

/** By name: within a stream the status is always 200. */
const KINDS: Record<string, FaultKind> = {
  ValidationException: 'refused',
  ResourceNotFoundException: 'refused',
  ThrottlingException: 'rate_limited',
  ServiceQuotaExceededException: 'rate_limited',
  AccessDeniedException: 'credential',
  UnrecognizedClientException: 'credential',
  ExpiredTokenException: 'credential',
  ModelErrorException: 'unavailable',
  ModelNotReadyException: 'unavailable',
  ModelStreamErrorException: 'unavailable',
  ModelTimeoutException: 'unavailable',
};

const NO_CREDENTIALS = /^(CredentialsProviderError|TokenProviderError)$/;

interface AwsError extends Error {
  $fault?: 'client' | 'server';
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number; headers?: Record<string, string> };
  /** The error of a body that is not AWS's. */
  error?: unknown;
}

export function faultOfAws(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const { name, message, $metadata, $response, error: body } = error as AwsError;
  if (NO_CREDENTIALS.test(name)) {
    return new ProviderFault(
      'credential',
      'There are no AWS credentials here; give the definition an API key of Bedrock, or the server an AWS profile, role or keys',
    );
  }
  if (/^Region (is missing|not accepted)/.test(message)) {
    return new ProviderFault(
      'credential',
      'region: is missing or not a region; name it in the definition, or set AWS_REGION',
    );
  }
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  if (status === undefined) return faultOfSdk(error);
  if (status === 200) return faultOfStream(error);
  const { kind, retryAfterMs, requestId } = faultOfStatus(status, message, $response?.headers);
  const text = isSdkMessage(error as AwsError) ? (messageOf(body) ?? `The provider answered ${status}.`) : message;
  return new ProviderFault(KINDS[name] ?? kind, shortMessage(text), { status, retryAfterMs, requestId });
}

/** Whether the SDK could not read the body, of a proxy for example. */
function isSdkMessage({ name, message }: AwsError): boolean {
  return name === 'SyntaxError' || message === 'UnknownError';
}

export function faultOfStream(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const { name, message, $fault } = error as AwsError;
  // Errors unknown to the SDK have only AWS's name; Node's own names end in Error.
  const isOfService = $fault !== undefined || !name.endsWith('Error');
  return isOfService ? ofService(name, message) : broken(name);
}

const HINT = /\n {2}Deserialization error: .*$/s;

function ofService(name: string, message: string): ProviderFault {
  return new ProviderFault(
    KINDS[name] ?? 'unavailable',
    shortMessage(message.replace(HINT, '') || 'The provider failed.'),
  );
}

function broken(name: string): ProviderFault {
  if (name === 'SyntaxError') return new ProviderFault('broken', 'The provider sent invalid JSON.');
  return new ProviderFault('broken', 'The connection to the provider broke off, or was not what its API sends.');
}
