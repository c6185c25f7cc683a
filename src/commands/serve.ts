import type { Command } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withDataDir } from './input/options.ts';

export function register(program: Command): void {
  withDataDir(program.command('serve').description('serve REST, MCP (/mcp) and /docs on one port'))
    .option('--port <port>', 'TCP port, 0 for a free one (PORT, default 3000)')
    .option('--host <address>', 'address to listen on (HOST, default 127.0.0.1)')
    .option('--tls-cert <file>', 'PEM file of a certificate: serve HTTPS (AGENT_RUNTIME_TLS_CERTIFICATE)')
    .option('--tls-key <file>', 'PEM file of its key (AGENT_RUNTIME_TLS_KEY)')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent')
    .action(lazily(() => import('./actions/serve.ts')));
}
