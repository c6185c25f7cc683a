import type { McpbManifestAny } from '@anthropic-ai/mcpb';
import { ABOUT, PROGRAM } from '../../src/core/base/shared/program.ts';
import { tools } from '../../src/tools/server.ts';
import { NODE_VERSION } from './bundle.ts';
import { ADDRESS, API_KEY } from './settings.ts';

/** Paths in the bundle. */
export const FILES = {
  manifest: 'manifest.json',
  server: 'server/index.mjs',
  icon: 'icon.png',
  licence: 'LICENSE',
  thirdParty: 'THIRD-PARTY.txt',
};

const LONG_DESCRIPTION = `Ask your own Agent Runtime server about the business events that your applications and agents send to it: KPIs and how they change, tables, dashboard cards, and passages of its documents.

The extension is a bridge. It stores nothing and talks to one address only: the server that you name below, with the key that you give it. The server is yours to run; whoever runs it gives you its address and a key with the scope mcp:read.`;

/**
 * The manifest, which Claude Desktop reads before the installation. It has no links until there are
 * pages to link to.
 */
export function manifest(): McpbManifestAny {
  return {
    manifest_version: '0.3',
    name: PROGRAM.name,
    display_name: ABOUT.title,
    version: PROGRAM.version,
    description: ABOUT.description,
    long_description: LONG_DESCRIPTION,
    author: { name: 'The Agent Runtime authors' },
    license: 'MIT',
    keywords: ['events', 'analytics', 'kpi', 'metrics', 'dashboard', 'agents', 'self-hosted'],
    icon: FILES.icon,
    server: {
      type: 'node',
      entry_point: FILES.server,
      mcp_config: {
        command: 'node',
        args: [`${filledInByHost('__dirname')}/${FILES.server}`],
        env: {
          [ADDRESS.variable]: filledInByHost('user_config.url'),
          [API_KEY.variable]: filledInByHost('user_config.api_key'),
        },
      },
    },
    user_config: {
      url: {
        type: 'string',
        title: ADDRESS.title,
        description: ADDRESS.description,
        default: ADDRESS.default,
        required: true,
      },
      api_key: {
        type: 'string',
        title: API_KEY.title,
        description: API_KEY.description,
        sensitive: true,
        required: true,
      },
    },
    tools: tools.map(({ name, description }) => ({ name, description: firstSentence(description) })),
    // A manifest prompt contains its text; ours come from the server.
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: `>=${NODE_VERSION}.0.0` } },
  };
}

/** A placeholder that the host replaces before it starts the server. */
function filledInByHost(name: string): string {
  return `\${${name}}`;
}

function firstSentence(text: string): string {
  return /^.+?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n', 1)[0]!;
}
