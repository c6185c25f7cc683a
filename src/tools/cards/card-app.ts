import { type McpServer, ResourceTemplate, UriTemplate } from '@modelcontextprotocol/server';
import type { Log } from '../../logging/log.ts';
import { withProtocolErrors } from '../errors.ts';

/** MCP Apps (SEP-1865), in the revision of 2026-01-26. */
export const MCP_APPS = 'io.modelcontextprotocol/ui';
export const CARD_VIEW = 'ui://agent-runtime/card.html';

const MIME_TYPE = 'text/html;profile=mcp-app';

/** An empty `csp` allows no other origin: the view loads nothing. */
const VIEW = { ui: { csp: {}, prefersBorder: true } };

/**
 * The view of a card is the same for all tenants: the data come with the tool's answer. It is
 * registered as a template, though without a variable, to keep it out of `resources/list`, which
 * models read.
 */
export function registerCardApp(server: McpServer, cardApp: () => Promise<string>, log: Log): void {
  server.registerResource(
    'card-view',
    new ResourceTemplate(new UriTemplate(CARD_VIEW), { list: undefined }),
    {
      title: 'View of a dashboard card',
      description: 'Hosts of MCP Apps show the answer of render_dashboard_card in this view.',
      mimeType: MIME_TYPE,
      cacheHint: { ttlMs: 3_600_000, cacheScope: 'public' },
    },
    (uri) =>
      withProtocolErrors('card-view', log, async () => ({
        contents: [{ uri: uri.href, mimeType: MIME_TYPE, text: await cardApp(), _meta: VIEW }],
      })),
  );
}
