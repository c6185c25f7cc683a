import type { Json } from './schemas.ts';

const retryAfter = {
  'retry-after': { description: 'Seconds after which a retry makes sense.', schema: { type: 'string' } },
};
const challenge = {
  'www-authenticate': { description: 'Bearer; with the scope that is missing.', schema: { type: 'string' } },
};

export function fault(description: string, headers?: Json): Json {
  return {
    description,
    ...(headers ? { headers } : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

export const FAULTS = {
  InvalidInput: fault('Invalid input; `message` names each field.'),
  Unauthenticated: fault('Missing or invalid credential.', challenge),
  Forbidden: fault("The key or the role lacks the right, or the resource is not its tenant's.", challenge),
  UnknownHost: fault('The `Host` of the request is none of the server (`AGENT_RUNTIME_ALLOWED_HOSTS`).', challenge),
  Stalled: fault('Nothing more of the body came for a while.'),
  TooLarge: fault('The body is too large.'),
  UnsupportedType: fault('The content type is not supported.'),
  RateLimited: fault('Too many requests with this credential; see Retry-After.', retryAfter),
  ServerError: fault('Server error; safe to retry with backoff.'),
  Unavailable: fault('Not now; see Retry-After.', retryAfter),
  TimedOut: fault('It took longer than it may; the message says how to ask for less.'),
};
export type FaultName = keyof typeof FAULTS;
