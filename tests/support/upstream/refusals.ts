import type { Vendor } from '../../../src/core/agents/chat/capabilities.ts';
import type { Retry } from './outcomes.ts';
import type { Exchange } from './protocol.ts';

/** An answer that is no stream. */
export interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** An error response in the vendor's own form. */
export function refusal(
  status: number,
  exchange: Exchange,
  { retry, message = messageOf(status, exchange.model) }: { retry?: Retry; message?: string } = {},
): Refusal {
  const { headers = {}, body } = FORMS[exchange.vendor]({ status, message, exchange, retry });
  return {
    status,
    headers: { 'content-type': 'application/json', ...retryAfter(retry), ...headers },
    body: JSON.stringify(body),
  };
}

/** How a vendor says that it does not know a key. */
export function refusedKey(exchange: Exchange): Refusal {
  const message = 'Incorrect API key provided.';
  if (exchange.vendor === 'bedrock') {
    const { headers, body } = refusal(403, exchange, { message: 'The security token is invalid.' });
    return { status: 403, headers: { ...headers, 'x-amzn-errortype': 'UnrecognizedClientException:' }, body };
  }
  // These call it an invalid argument.
  if (exchange.vendor === 'xai') return refusal(400, exchange, { message });
  if (exchange.vendor !== 'gemini') return refusal(401, exchange, { message });
  const reason = { '@type': `${GOOGLE_TYPES}ErrorInfo`, reason: 'API_KEY_INVALID', domain: 'googleapis.com' };
  const { headers } = refusal(400, exchange);
  const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details: [reason] };
  return { status: 400, headers, body: JSON.stringify({ error }) };
}

interface Refused {
  status: number;
  message: string;
  exchange: Exchange;
  retry?: Retry;
}
type Form = (refused: Refused) => { headers?: Record<string, string>; body: object };

const GOOGLE_TYPES = 'type.googleapis.com/google.rpc.';

const openai: Form = ({ status, message }) => ({
  body: {
    error: { message, type: OPENAI_TYPES[status] ?? 'server_error', param: null, code: OPENAI_CODES[status] ?? null },
  },
});

const FORMS: Record<Vendor, Form> = {
  openai,
  groq: ({ status, message }) => ({
    body: { error: { message, type: OPENAI_TYPES[status] ?? 'internal_server_error', code: OPENAI_CODES[status] } },
  }),
  // Here the error is a string.
  xai: ({ status, message }) => ({ body: { code: XAI_CODES[status] ?? 'Service unavailable', error: message } }),
  // As vLLM says it: the code is a number.
  custom: ({ status, message }) => ({
    body: { error: { message, type: OPENAI_TYPES[status] ?? 'InternalServerError', param: null, code: status } },
  }),
  anthropic: ({ status, message, exchange }) => ({
    body: {
      type: 'error',
      error: { type: ANTHROPIC_TYPES[status] ?? 'api_error', message },
      request_id: exchange.requestId,
    },
  }),
  gemini: ({ status, message, retry }) => {
    const again =
      retry && 'retryInfo' in retry ? [{ '@type': `${GOOGLE_TYPES}RetryInfo`, retryDelay: `${retry.retryInfo}s` }] : [];
    const details = again.length > 0 ? { details: again } : {};
    return { body: { error: { code: status, message, status: GOOGLE_STATUSES[status] ?? 'UNAVAILABLE', ...details } } };
  },
  bedrock: ({ status, message }) => ({
    headers: { 'x-amzn-errortype': `${AWS_ERRORS[status] ?? 'ServiceUnavailableException'}:` },
    body: { message },
  }),
};

function retryAfter(retry: Retry | undefined): Record<string, string> {
  if (retry && 'seconds' in retry) return { 'retry-after': String(retry.seconds) };
  if (retry && 'date' in retry) return { 'retry-after': new Date(Date.now() + retry.date * 1_000).toUTCString() };
  return {};
}

function messageOf(status: number, model: string): string {
  const known: Record<number, string> = {
    400: 'The value of max_tokens is too large.',
    401: 'Incorrect API key provided.',
    403: 'This project may not do that.',
    404: `The model ${model} does not exist or you do not have access to it.`,
    429: 'Rate limit reached. Please try again later.',
    500: 'The server had an error while processing your request.',
    503: 'The service is overloaded. Please try again later.',
    529: 'Overloaded',
  };
  return known[status] ?? 'The request failed.';
}

const OPENAI_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  403: 'invalid_request_error',
  404: 'invalid_request_error',
  429: 'tokens',
  503: 'service_unavailable_error',
};

const OPENAI_CODES: Record<number, string> = {
  400: 'invalid_value',
  401: 'invalid_api_key',
  403: 'model_permission_blocked',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
};

const XAI_CODES: Record<number, string> = {
  400: 'Client specified an invalid argument',
  401: 'Unauthenticated',
  403: 'The caller does not have permission to execute the specified operation',
  404: 'Some requested entity was not found',
  429: 'Some resource has been exhausted',
  500: 'Internal error',
};

const ANTHROPIC_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const GOOGLE_STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
};

const AWS_ERRORS: Record<number, string> = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
};
