import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FirstRun } from '../../core/auth/bootstrap.ts';
import { syncDirectory } from '../../storage/files/disk.ts';
import { currentInvocation } from './invocation.ts';

/** On a terminal, or in a private file. */
export function greet(firstRun: FirstRun, where: { url: string; dataDir: string }): void {
  const text = greeting(firstRun, where);
  if (process.stdout.isTTY) {
    process.stdout.write(text);
    return;
  }
  const file = join(where.dataDir, 'first-run.txt');
  // The old file may be a link or readable by others.
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx', flush: true });
  syncDirectory(where.dataDir);
  process.stderr.write(
    `First start: keys, the admin password and client configuration are in ${file}. Delete it once you have noted them.\n`,
  );
}

function greeting({ admin, fullKey, readKey }: FirstRun, where: { url: string; dataDir: string }): string {
  return `
Welcome to Agent Runtime. This is shown once; keep what you need.

  Full access key    ${fullKey.key}
  MCP read-only key  ${readKey.key}
  Portal             ${where.url}
  Portal user        ${admin.email}
  Portal password    ${admin.password}

Send an event:

  curl ${where.url}/api/v1/runtime/v1/observability/events \\
    -H "x-api-key: ${fullKey.key}" -H "content-type: application/json" \\
    -d '{"events":[{"eventName":"hello_sent","properties":{"from":"curl"}}]}'

${clientConfiguration(readKey.key, where)}`;
}

export function clientConfiguration(key: string, { url, dataDir }: { url: string; dataDir: string }): string {
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
