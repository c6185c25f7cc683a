import { bridgeStdio, mcpUrl } from '../../src/tools/bridge.ts';
import { diagnostics } from './diagnostics.ts';
import { readSettings } from './settings.ts';

/*
 * The program that Claude Desktop starts: MCP over stdio, bridged to a remote Agent Runtime server.
 * It runs on import, since some hosts load it from a program of their own.
 */

async function main(): Promise<void> {
  const { address, apiKey } = readSettings(process.env);
  const url = mcpUrl(address);
  diagnostics.info(`passing MCP on to ${url.origin}${url.pathname}`);
  await bridgeStdio({ url, apiKey, fetch: (to, init) => fetch(to, init), log: diagnostics });
}

main().then(
  () => process.exit(0),
  (error: Error) => process.stderr.write(`Agent Runtime: ${error.message}\n`, () => process.exit(1)),
);
