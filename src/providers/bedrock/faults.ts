import { type FaultKind, ProviderFault } from '../../core/chat/provider.ts';
import { faultOfStatus, shortened } from '../shared/faults.ts';
import { faultOfSdk, messageOf } from '../shared/stainless.ts';

/** What Amazon's errors mean where their status does not say it: within a stream all have 200. */
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

/** The chains that find these found none. */
const NO_CREDENTIALS = /^(CredentialsProviderError|TokenProviderError)$/;

interface AwsError extends Error {
  $fault?: 'client' | 'server';
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number; headers?: Record<string, string> };
  /** Of a body that is not as Amazon writes it, what it has of that name. */
  error?: unknown;
}

/** Of what the SDK throws, what may be kept. */
export function faultOfAws(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const { name, message, $fault, $metadata, $response, error: body } = error as AwsError;
  if (NO_CREDENTIALS.test(name)) {
    return new ProviderFault(
      'credential',
      'There are no credentials of AWS here; give the definition an API key of Bedrock, or the server an AWS profile, role or keys',
    );
  }
  if (/^Region (is missing|not accepted)/.test(message)) {
    return new ProviderFault(
      'credential',
      'region: is missing or is none; name it in the definition, or set AWS_REGION',
    );
  }
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  if (status === undefined) return faultOfSdk(error);
  if (status === 200) return isOfService(name, $fault) ? ofService(name, message) : broken(name);
  const { kind, retryAfterMs, requestId } = faultOfStatus(status, message, $response?.headers);
  const text = isSdkMessage(error as AwsError) ? (messageOf(body) ?? `The provider answered ${status}.`) : message;
  return new ProviderFault(KINDS[name] ?? kind, shortened(text), { status, retryAfterMs, requestId });
}

/** Whether the words are the SDK's own, of a body that it could not read: those of a proxy are no JSON, or are another's. */
function isSdkMessage({ name, message }: AwsError): boolean {
  return name === 'SyntaxError' || message === 'UnknownError';
}

/** What breaks off while it is read. */
export function faultOfStream(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const { name, message, $fault } = error as AwsError;
  return isOfService(name, $fault) ? ofService(name, message) : broken(name);
}

/** Of those that the SDK does not know there is no more than the name that Amazon gave them; the machine's own are errors. */
function isOfService(name: string, fault: AwsError['$fault']): boolean {
  return fault !== undefined || !name.endsWith('Error');
}

/** The SDK adds a hint for its own users to what it reads before it hands the events over. */
const HINT = /\n {2}Deserialization error: .*$/s;

function ofService(name: string, message: string): ProviderFault {
  return new ProviderFault(
    KINDS[name] ?? 'unavailable',
    shortened(message.replace(HINT, '') || 'The provider failed.'),
  );
}

function broken(name: string): ProviderFault {
  if (name === 'SyntaxError') return new ProviderFault('broken', 'The provider sent what is not valid JSON.');
  return new ProviderFault('broken', 'The connection to the provider broke off, or was not what its API sends.');
}
