import type { Command } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withDataDir } from './input/options.ts';

export function register(program: Command): void {
  withDataDir(
    program.command('mcp').description('MCP over standard input and output, for clients that start their own server'),
  )
    .option('--url <url>', 'bridge to this server instead of the data directory (AGENT_RUNTIME_URL)')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent')
    .addHelpText('after', '\nThe key comes from AGENT_RUNTIME_API_KEY; it needs the scope mcp:read.')
    .action(lazily(() => import('./actions/mcp.ts')));
}
