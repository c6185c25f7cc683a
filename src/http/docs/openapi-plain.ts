import type { Json } from './schemas.ts';

const text = { schema: { type: 'string' } };
const answers = (description: string, ...types: string[]) => ({
  200: { description, content: Object.fromEntries(types.map((type) => [type, text])) },
});

/** MCP errors are JSON-RPC; errors before the protocol have the usual body. */
const protocolFault = (description: string) => ({
  description,
  content: { 'application/json': { schema: { description: 'A JSON-RPC 2.0 error, or an `Error`.' } } },
});

const UNKNOWN_HOST = { $ref: '#/components/responses/UnknownHost' };

/** Needs no credential unless `security` says otherwise. */
function get(operationId: string, summary: string, description: string, responses: Json, security: Json[] = []): Json {
  const answers = { ...responses, ...(security.length === 0 && { 403: UNKNOWN_HOST }) };
  return { get: { operationId, tags: ['Operation'], summary, description, security, responses: answers } };
}

export const PLAIN_PATHS: Record<string, Json> = {
  '/openapi.json': get('getOpenapi', 'This document', 'The OpenAPI 3.1 document of the API.', {
    200: { description: 'The document.', content: { 'application/json': { schema: { type: 'object' } } } },
  }),
  '/docs': get(
    'getDocs',
    'The API reference',
    'For clients whose `Accept` names `text/html`, the interactive API reference; for others, the page of `/docs/plain`.',
    answers('The page.', 'text/html'),
  ),
  '/docs/plain': get(
    'getDocsPlain',
    'The API reference without scripts',
    'The API as one page that loads nothing from elsewhere.',
    answers('The page.', 'text/html'),
  ),
  '/metrics': get(
    'getMetrics',
    'Metrics',
    'Figures in the text format of Prometheus. For the machine that the server runs on; for others with the token of `AGENT_RUNTIME_METRICS_TOKEN`.',
    {
      ...answers('The figures.', 'text/plain'),
      401: { $ref: '#/components/responses/Unauthenticated' },
      403: { $ref: '#/components/responses/Forbidden' },
    },
    [{}, { metrics: [] }],
  ),
  '/mcp': {
    post: {
      operationId: 'postMcp',
      tags: ['Operation'],
      summary: 'Model Context Protocol',
      description:
        'Model Context Protocol over Streamable HTTP, see docs/mcp.md. Use an MCP client.\n\nScope: `mcp:read` for calls.',
      'x-scope': 'mcp:read',
      parameters: [
        {
          name: 'accept',
          in: 'header',
          required: true,
          description: 'Both `application/json` and `text/event-stream`.',
          schema: { type: 'string' },
          examples: {
            both: { summary: 'The types that the protocol requires', value: 'application/json, text/event-stream' },
          },
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { description: 'One JSON-RPC 2.0 message, or an array of them.' },
            examples: {
              listTools: { summary: 'Which tools are there?', value: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
            },
          },
        },
      },
      responses: {
        200: {
          description: 'The answer, as JSON or as events.',
          content: {
            'application/json': { schema: { description: 'One JSON-RPC 2.0 message, or an array of them.' } },
            'text/event-stream': text,
          },
        },
        202: { description: 'A notification was taken.' },
        400: protocolFault('No JSON, or no message of the protocol.'),
        401: { $ref: '#/components/responses/Unauthenticated' },
        403: { $ref: '#/components/responses/Forbidden' },
        406: protocolFault('`accept` does not name both content types.'),
        413: { $ref: '#/components/responses/TooLarge' },
        415: protocolFault('The content type is not `application/json`.'),
        429: { $ref: '#/components/responses/RateLimited' },
      },
    },
  },
  '/mcp/server-card': get(
    'getMcpServerCard',
    'The Server Card',
    'How programs reach the MCP endpoint (SEP-2127): its address, the protocol versions, the header of the key. No tools. Any origin may read it.',
    {
      200: {
        description: 'The card.',
        content: { 'application/mcp-server-card+json': { schema: { type: 'object' } } },
      },
      304: { description: 'The client has this version, as `If-None-Match` says.' },
    },
  ),
  '/.well-known/ai-catalog.json': get(
    'getAiCatalog',
    'The AI Catalog',
    'Leads from the domain to the Server Card. Any origin may read it.',
    {
      200: { description: 'The catalog.', content: { 'application/ai-catalog+json': { schema: { type: 'object' } } } },
      304: { description: 'The client has this version, as `If-None-Match` says.' },
    },
  ),
};

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
