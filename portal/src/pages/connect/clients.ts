import { t } from '../../language/index.ts';

/** The setup of an MCP client. */
export interface ClientSetup {
  /** Numbered steps, with the client's own terms. */
  steps: readonly string[];
  /** The text to copy. */
  code: string;
  /** A link that opens the client with the same setup. */
  link?: { label: string; href: string };
}

export interface Connection {
  /** The URL of the MCP endpoint. */
  url: string;
  /** The server's base URL, for the bridge. */
  serverUrl: string;
  key: string;
}

export const CLIENTS = [
  { value: 'claude-code', label: 'Claude Code' },
  { value: 'claude-desktop', label: 'Claude Desktop' },
  { value: 'cursor', label: 'Cursor' },
  { value: 'vs-code', label: 'VS Code' },
  { value: 'gemini-cli', label: 'Gemini CLI' },
  { value: 'codex', label: 'Codex' },
  { value: 'goose', label: 'Goose' },
  { value: 'other', label: t('Other') },
] as const;

export type ClientName = (typeof CLIENTS)[number]['value'];

const NAME = 'agent-runtime';

export function isClientName(name: string | undefined): name is ClientName {
  return CLIENTS.some(({ value }) => value === name);
}

export function setupOf(client: ClientName, { url, serverUrl, key }: Connection): ClientSetup {
  const headers = { 'x-api-key': key };
  switch (client) {
    case 'claude-code':
      return {
        steps: [t('Run this in a terminal.'), t('Inside a session, /mcp lists the tools.')],
        code: `claude mcp add --transport http ${NAME} ${url} --header "x-api-key: ${key}"`,
      };
    case 'claude-desktop':
      return {
        steps: [
          t('Install agent-runtime on the computer of Claude Desktop.'),
          t('In Claude Desktop open Settings, Developer, Edit Config, and add this.'),
          t('Restart Claude Desktop.'),
        ],
        code: json({
          mcpServers: {
            [NAME]: {
              command: 'agent-runtime',
              args: ['mcp'],
              env: { AGENT_RUNTIME_URL: serverUrl, AGENT_RUNTIME_API_KEY: key },
            },
          },
        }),
      };
    case 'cursor':
      return {
        steps: [t('Add this to ~/.cursor/mcp.json.'), t('Settings, MCP shows a green dot once it is connected.')],
        code: json({ mcpServers: { [NAME]: { url, headers } } }),
        link: {
          label: t('Add to Cursor'),
          href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(btoa(JSON.stringify({ url, headers })))}`,
        },
      };
    case 'vs-code':
      return {
        steps: [t('Add this to .vscode/mcp.json of a workspace.'), t('Press Start above the entry.')],
        code: json({ servers: { [NAME]: { type: 'http', url, headers } } }),
        link: {
          label: t('Add to VS Code'),
          href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, type: 'http', url, headers }))}`,
        },
      };
    case 'gemini-cli':
      return {
        steps: [t('Run this in a terminal.'), t('Inside a session, /mcp lists the tools.')],
        code: `gemini mcp add --scope user --transport http --header "x-api-key: ${key}" ${NAME} ${url}`,
      };
    case 'codex':
      return {
        steps: [t('Add this to ~/.codex/config.toml.'), t('/mcp lists the server.')],
        code: `[mcp_servers.${NAME}]\nurl = ${JSON.stringify(url)}\nhttp_headers = { "x-api-key" = ${JSON.stringify(key)} }`,
      };
    case 'goose':
      return {
        steps: [t('Add this to ~/.config/goose/config.yaml.'), t('Start a new session.')],
        code: [
          'extensions:',
          `  ${NAME}:`,
          '    type: streamable_http',
          `    name: ${NAME}`,
          '    enabled: true',
          `    uri: ${url}`,
          '    headers:',
          `      x-api-key: ${key}`,
          '    timeout: 300',
        ].join('\n'),
      };
    case 'other':
      return {
        steps: [t('Any client that speaks Streamable HTTP takes this address with this header.')],
        code: `${url}\nx-api-key: ${key}`,
      };
  }
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
