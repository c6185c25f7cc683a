import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Runtime } from '../../app/runtime.ts';
import { ADMIN_EMAIL, DEFAULT_TENANT, type FirstRun } from '../../core/access/auth/bootstrap.ts';
import { syncDirectory } from '../../storage/installation/disk.ts';
import { currentInvocation } from './invocation.ts';

const LINK_MS = 3_600_000;

interface Where {
  url: string;
  dataDir: string;
}

/**
 * Prints to a terminal, with a login link; otherwise writes a private file, without a link that
 * would soon expire.
 */
export async function greet(
  firstRun: FirstRun,
  where: Where,
  linkFor: (lifetimeMs: number) => Promise<string>,
): Promise<void> {
  if (process.stdout.isTTY) {
    const link = `\n  Or log in once, within an hour, with ${await linkFor(LINK_MS)}`;
    process.stdout.write(greeting(firstRun, where, link));
    return;
  }
  const text = greeting(firstRun, where);
  const file = join(where.dataDir, 'first-run.txt');
  // The old file may be a link or readable by others.
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx', flush: true });
  syncDirectory(where.dataDir);
  process.stderr.write(
    `First start: keys, the admin password and client configuration are in ${file}. Delete it once you have noted them.\n`,
  );
}

function greeting({ admin, fullKey, readKey }: FirstRun, where: Where, link = ''): string {
  return `
Welcome to Agent Runtime. This is shown once; keep what you need.

  Full access key    ${fullKey.key}
  MCP read-only key  ${readKey.key}
  Portal             ${where.url}
  Portal user        ${admin.email}
  Portal password    ${admin.password}${link}

Send an event:

  curl ${where.url}/api/v1/runtime/v1/observability/events \\
    -H "x-api-key: ${fullKey.key}" -H "content-type: application/json" \\
    -d '{"events":[{"eventName":"hello_sent","properties":{"from":"curl"}}]}'

${clientConfiguration(readKey.key, where)}`;
}

export function clientConfiguration(key: string, { url, dataDir }: Where): string {
  const http = { url: `${url}/mcp`, headers: { 'x-api-key': key } };
  const { command, args } = currentInvocation();
  const stdio = {
    command,
    args: [...args, 'mcp'],
    env: { AGENT_RUNTIME_API_KEY: key, AGENT_RUNTIME_DATA_DIR: dataDir },
  };
  return `Connect an MCP client:

  Claude Code
    claude mcp add --transport http agent-runtime ${url}/mcp --header "x-api-key: ${key}"

  Claude Desktop (claude_desktop_config.json)
${indent({ mcpServers: { 'agent-runtime': stdio } })}

  Cursor (~/.cursor/mcp.json)
${indent({ mcpServers: { 'agent-runtime': http } })}

  VS Code (.vscode/mcp.json)
${indent({ servers: { 'agent-runtime': { type: 'http', ...http } } })}

`;
}

function indent(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^/gm, '    ');
}

/**
 * A link that logs the first administrator in once. The secret is in the fragment, which browsers
 * do not send.
 */
export async function adminLoginLink(
  { tenants, userStore, logins }: Pick<Runtime, 'tenants' | 'userStore' | 'logins'>,
  url: string,
  lifetimeMs: number,
): Promise<string> {
  const tenant = await tenants.get(DEFAULT_TENANT);
  const [admin] = await userStore.findByEmail(ADMIN_EMAIL, tenant.id);
  if (!admin) throw new Error(`There is no user ${ADMIN_EMAIL}.`);
  return `${url}/login#link=${await logins.issueLink(admin, lifetimeMs)}`;
}
