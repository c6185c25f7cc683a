import type { Json } from './schemas.ts';

const text = { schema: { type: 'string' } };
const answers = (description: string, ...types: string[]) => ({
  200: { description, content: Object.fromEntries(types.map((type) => [type, text])) },
});

/** MCP has errors of its own; what fails before the protocol has its turn has the body of all others. */
const protocolFault = (description: string) => ({
  description,
  content: { 'application/json': { schema: { description: 'A JSON-RPC 2.0 error, or an `Error`.' } } },
});

/** What answers beside the routes, in a sentence each. */
export const PLAIN_PATHS: Record<string, Json> = {
  '/openapi.json': {
    get: {
      operationId: 'getOpenapi',
      tags: ['Operation'],
      summary: 'This document',
      description: 'The OpenAPI 3.1 document of the API.',
      security: [],
      responses: {
        200: { description: 'The document.', content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
  },
  '/docs': {
    get: {
      operationId: 'getDocs',
      tags: ['Operation'],
      summary: 'This document for people',
      description: 'The API as one page that loads nothing from elsewhere.',
      security: [],
      responses: answers('The page.', 'text/html'),
    },
  },
  '/metrics': {
    get: {
      operationId: 'getMetrics',
      tags: ['Operation'],
      summary: 'Metrics',
      description:
        'Figures in the text format of Prometheus. For the machine that the server runs on; for others with the token of `AGENT_RUNTIME_METRICS_TOKEN`.',
      security: [{}, { metrics: [] }],
      responses: {
        ...answers('The figures.', 'text/plain'),
        401: { $ref: '#/components/responses/Unauthenticated' },
        403: { $ref: '#/components/responses/Forbidden' },
      },
    },
  },
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
            both: { summary: 'As the protocol has it', value: 'application/json, text/event-stream' },
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
};
