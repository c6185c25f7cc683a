import type { Schemas } from '../../../api/schemas.ts';

type ChatRequest = Schemas['ChatRequest'];

const CHAT = '/api/v1/runtime/v1/chat/stream';
/** The variable with the API key: no secret is in the code. */
const KEY = 'AGENT_RUNTIME_API_KEY';

/** The request as a command of a shell. Within the quoted here-document a shell replaces nothing. */
export function curlOf(request: ChatRequest, serverUrl: string): string {
  return [
    `curl -N ${serverUrl}${CHAT} \\`,
    `  -H "x-api-key: $${KEY}" \\`,
    "  -H 'content-type: application/json' \\",
    "  -H 'accept: text/event-stream' \\",
    "  --data-binary @- <<'JSON'",
    JSON.stringify(request, null, 2),
    'JSON',
  ].join('\n');
}

/** The request as a program with the typed client. */
export function typescriptOf(request: ChatRequest, serverUrl: string): string {
  return `import { createClient } from 'agent-runtime/client';

const client = createClient({ baseUrl: ${JSON.stringify(serverUrl)}, apiKey: process.env.${KEY}! });

for await (const event of client.chat(${JSON.stringify(request, null, 2)})) {
  if (event.type === 'text') process.stdout.write(event.text);
}
`;
}
