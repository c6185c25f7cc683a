import { t } from '../../../language/index.ts';
import { curlOf } from '../../../question/state/text.ts';
import { type ClientName, type Connection, setupOf } from '../../connect/clients.ts';
import type { KeyScope } from './types.ts';

/** A setup with the key in it, ready to copy. */
export interface KeySetup {
  value: string;
  label: string;
  steps: readonly string[];
  code: string;
}

const CLIENTS: [ClientName, string][] = [
  ['claude-code', 'Claude Code'],
  ['cursor', 'Cursor'],
  ['vs-code', 'VS Code'],
  ['claude-desktop', 'Claude Desktop'],
];

const EVENTS = '/api/v1/runtime/v1/observability/events';
const USAGE = '/api/v1/runtime/v1/usage';
const EVENT = `{ eventName: 'ticket_resolved', properties: { plan: 'pro', minutes: 12 } }`;
const JSON_EVENT = { eventName: 'ticket_resolved', properties: { plan: 'pro', minutes: 12 } };

/** The setups that fit what the key may do: of MCP clients, of senders of events, else a request that any key may send. */
export function setupsFor(scopes: readonly KeyScope[], connection: Connection): KeySetup[] {
  const may = (scope: KeyScope) => scopes.includes('*') || scopes.includes(scope);
  const clients = CLIENTS.map(([value, label]) => ({ value, label, ...setupOf(value, connection) }));
  const programs = may('events:write') ? sending(connection) : asking(connection);
  return [...(may('mcp:read') ? clients : []), ...programs];
}

function sending({ serverUrl, key }: Connection): KeySetup[] {
  const post = [`client.POST('${EVENTS}', {`, `  body: { events: [${EVENT}] },`, '});'];
  return [
    {
      value: 'curl',
      label: 'curl',
      steps: [t('Run this in a terminal: it records one event.'), t('The answer 202 means that the event is on disk.')],
      code: curlOf(serverUrl + EVENTS, { events: [JSON_EVENT] }, `x-api-key: ${key}`),
    },
    typescript({ serverUrl, key }, `const { data, error } = await ${post.join('\n')}`),
  ];
}

function asking({ serverUrl, key }: Connection): KeySetup[] {
  return [
    {
      value: 'curl',
      label: 'curl',
      steps: [t('Run this in a terminal: it shows the quotas of the key.')],
      code: `curl ${serverUrl}${USAGE} -H "x-api-key: ${key}"`,
    },
    typescript({ serverUrl, key }, `const { data, error } = await client.GET('${USAGE}');`),
  ];
}

function typescript({ serverUrl, key }: Pick<Connection, 'serverUrl' | 'key'>, request: string): KeySetup {
  return {
    value: 'typescript',
    label: 'TypeScript',
    steps: [t('Keep the key in the environment of the program, not in its code.')],
    code: [
      `// AGENT_RUNTIME_API_KEY=${key}`,
      `import { createClient } from 'agent-runtime/client';`,
      '',
      'const client = createClient({',
      `  baseUrl: '${serverUrl}',`,
      '  apiKey: process.env.AGENT_RUNTIME_API_KEY!,',
      '});',
      request,
    ].join('\n'),
  };
}
